import { expect, test } from 'vitest';
import { unreadable, unwritable } from './profile-trouble.js';

const failure = (code: string | undefined) => Object.assign(new Error('in the words of the system'), { code });

test.each([
  [new SyntaxError('Unexpected token sk-secret'), 'it is not valid JSON', 'Repair the file'],
  [new TypeError('no url'), 'it is not a profile', 'Repair the file'],
  [failure('EISDIR'), 'it is a directory', 'Move the file away'],
  [failure('EACCES'), 'permission denied', 'XDG_CONFIG_HOME'],
  [failure('EPERM'), 'permission denied', 'XDG_CONFIG_HOME'],
  [failure('EIO'), 'EIO', 'Repair the file'],
  [failure(undefined), 'unknown reason', 'Repair the file'],
])('names the path, the reason and the fix of %s', (cause, reason, hint) => {
  expect(unreadable('/p', cause)).toMatchObject({
    code: 'profile_unreadable',
    message: expect.stringContaining(`/p: ${reason}.`),
    hint: expect.stringContaining(hint),
  });
  expect(unwritable('/p', cause)).toMatchObject({
    code: 'profile_unwritable',
    message: expect.stringContaining(`/p: ${reason}.`),
    hint: expect.stringContaining('XDG_CONFIG_HOME'),
  });
});
