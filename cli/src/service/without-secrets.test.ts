import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.js';

test('removes email addresses, keys, tokens and passwords in URLs', () => {
  const text = [
    '"key sk-abcDEF_123-x is accepted"',
    'rt-0123456789',
    'eyJhbGciOi.eyJzdWIi.c2ln',
    'login ada.l+test@clinic.example.org',
    'postgres://healthd:pass@db/health',
    'https://x.example/connect?token=abc&code=def',
  ].join('\n');
  expect(withoutSecrets(text)).toBe(
    [
      '"key [secret] is accepted"',
      '[secret]',
      '[token]',
      'login [e-mail]',
      'postgres://[user]@db/health',
      'https://x.example/connect?token=[secret]&code=[secret]',
    ].join('\n'),
  );
});

test('keeps IDs, times and counts', () => {
  const text = '{"run_id":"xml_81aa0f2c-3b4d-4e5f-8a9b-0c1d2e3f4a5b","ended_at":"2026-11-22T10:00:00Z","items":12}';
  expect(withoutSecrets(text)).toBe(text);
});
