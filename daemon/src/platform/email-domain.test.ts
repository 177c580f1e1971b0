import { expect, test } from 'vitest';
import { asciiDomain, domainSpellings } from './email-domain.js';

test('normalizes a domain to DNS spelling', () => {
  expect(asciiDomain('a@b\u00fccher.de')).toBe('a@xn--bcher-kva.de');
});

test('finds every spelling of a domain', () => {
  expect(domainSpellings('a@xn--bcher-kva.de')).toEqual(['a@xn--bcher-kva.de', 'a@b\u00fccher.de']);
});

test.each(['\u00fc'.repeat(256), '\u00fc.'.repeat(8_000), '\u5b57'.repeat(5_000)])(
  'does not convert a domain that is too long (case %#)',
  (domain) => {
    expect(asciiDomain(`a@${domain}`)).toBe(`a@${domain}`);
    expect(domainSpellings(`a@${domain}`)).toEqual([`a@${domain}`]);
  },
);
