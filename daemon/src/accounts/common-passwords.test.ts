import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.js';

test.each([
  '1234567890',
  'qwertyuiop',
  'QwertyUIOP',
  'password123',
  'Password1234',
  'basketball',
  'ｐａｓｓｗｏｒｄ１２３',
])('rejects %s as a common password', async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
});

test.each(['', 'correct horse battery', 'vX3-oq9_Lm2PzT0aQ7Rk', 'constructor-of-towers'])(
  'does not reject "%s" as a common password',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);
