import pg from 'pg';
import { expect, test } from 'vitest';
import { loggedError } from './logged-error.js';

function databaseError(message: string, code: string): Error {
  const error = new pg.DatabaseError(message, 100, 'error');
  return Object.assign(error, { code, detail: 'Key (email)=(jo@clinic.example) exists', where: 'row 61.25' });
}

test('keeps the code of a database error but not its quoted rows', () => {
  const logged = loggedError(databaseError('duplicate key value violates unique constraint "user_key"', '23505'));
  expect(logged).toMatchObject({ code: '23505', message: 'duplicate key value violates unique constraint "user_key"' });
  expect(JSON.stringify(logged)).not.toMatch(/clinic|61\.25/);
});

test('removes an unparsable database value from message and stack', () => {
  const logged = loggedError(databaseError('invalid input syntax for type integer: "61.25"', '22P02'));
  expect(logged.message).toBe('invalid input syntax for type integer: "…"');
  expect(JSON.stringify(logged)).not.toContain('61.25');
});

test('finds the code of the driver error inside a model error', () => {
  const parent = databaseError('value "61.25" is out of range', '22003');
  const logged = loggedError(
    Object.assign(new Error(parent.message), { parent, sql: 'insert 61.25', parameters: [61.25] }),
  );
  expect(logged.code).toBe('22003');
  expect(JSON.stringify(logged)).not.toContain('61.25');
});

test('does not repeat invalid JSON', () => {
  let caught: unknown;
  try {
    JSON.parse('{"heart_rate": 61.25, oops}');
  } catch (error) {
    caught = error;
  }
  expect(JSON.stringify(loggedError(caught))).not.toContain('61.25');
});

test('keeps causes and stack', () => {
  const logged = loggedError(new TypeError('outer', { cause: new RangeError('inner') }));
  expect(logged).toMatchObject({
    type: 'TypeError',
    message: 'outer',
    cause: { type: 'RangeError', message: 'inner' },
  });
  expect(logged.stack).toContain('logged-error.test');
});

test('hides a thrown string', () => {
  expect(JSON.stringify(loggedError('secret'))).not.toContain('secret');
});
