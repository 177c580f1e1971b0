import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeLoginName } from './login-name.js';

test.each([
  ['in the same spelling', 'ada@clinic.example'],
  ['in upper case', 'ADA@Clinic.EXAMPLE'],
  ['with NUL before it', '\0ada@clinic.example'],
  ['with NUL inside', 'ad\0a@clin\0ic.example'],
  ['with other control characters', '\x01ada\x7f@clinic\x9f.example\r\n'],
  ['surrounded by whitespace', ' \tada@clinic.example\u00a0\u3000'],
  ['in full-width letters', 'ａｄａ＠clinic.example'],
  ['in mathematical letters', '𝐚𝐝𝐚@clinic.example'],
  ['with zero-width characters', 'a\u200bd\u200da@clinic\ufeff.example'],
  ['with a lone surrogate', 'ada\ud800@clinic.example'],
])('normalizes a login name %s', (_case, written) => {
  expect(normalizeLoginName(written)).toBe('ada@clinic.example');
});

test('folds the Kelvin sign and decomposed letters', () => {
  expect(normalizeLoginName('\u212aay@clinic.example')).toBe('kay@clinic.example');
  expect(normalizeLoginName('A\u0308rztin@klinik.example')).toBe('\u00e4rztin@klinik.example');
});

test('treats a domain as equal to its DNS spelling', () => {
  for (const domain of [
    'b\u00fccher.de',
    'B\u00dcCHER.de',
    'bu\u0308cher.de',
    'xn--bcher-kva.de',
    'XN--Bcher-kva.DE',
  ]) {
    expect(normalizeLoginName(`ada@${domain}`)).toBe('ada@xn--bcher-kva.de');
  }
  expect(normalizeLoginName('b\u00fccher.de@clinic.example')).toBe('b\u00fccher.de@clinic.example');
});

test('treats visibly different login names as different', () => {
  const names = ['ada@clinic.example', 'ada+work@clinic.example', 'a.da@clinic.example', 'ada@clinic.examples', ''];
  expect(new Set(names.map(normalizeLoginName)).size).toBe(names.length);
});

test('returns a normalized name unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = normalizeLoginName(text);
      expect(normalizeLoginName(once)).toBe(once);
      expect(once).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
    { numRuns: 300 },
  );
});
