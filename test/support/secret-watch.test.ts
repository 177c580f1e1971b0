import { expect, test } from 'vitest';
import { SecretWatch } from './secret-watch.js';

const KEY = 'sk-0123456789abcdef';
const PASSWORD = 'correct horse battery';
const SESSION = 'rt-fedcba9876543210';

test('finds secrets of headers, forms and nested JSON anywhere', () => {
  const watch = new SecretWatch();
  watch.knowHeaders(new Headers({ 'X-Service-API-Key': KEY, Cookie: `a=b; healthd_session=${SESSION}; c=d` }));
  watch.knowBody(new URLSearchParams({ username: 'ada', password: PASSWORD }).toString());
  watch.knowBody('[{"items":[{"access_token":"eyJhbGciOi.J9.x"}]}]');
  for (const secret of [KEY, SESSION, PASSWORD, 'eyJhbGciOi.J9.x']) {
    expect(watch.find(`{"msg":"got ${secret}"}`)).toBe(secret);
    expect(() => watch.check(['fine', `GET /x?key=${secret}`], 'the log')).toThrow('the log contains the secret');
  }
  expect(watch.size).toBe(4);
});

test('ignores values that are not secrets', () => {
  const watch = new SecretWatch();
  watch.knowBody({ id: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01', token_type: 'bearer', password: 'short' });
  watch.check(['0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01 bearer short'], 'the log');
  expect(watch.size).toBe(0);
});
