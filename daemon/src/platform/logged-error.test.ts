import pg from 'pg';
import { expect, test } from 'vitest';
import { loggedError } from './logged-error.js';

function databaseError(message: string, code: string): Error {
  const error = new pg.DatabaseError(message, 100, 'error');
  return Object.assign(error, { code, detail: 'Key (email)=(jo@clinic.example) exists', where: 'row 61.25' });
}

test('a database error keeps its code and loses the rows that it quotes', () => {
  const logged = loggedError(databaseError('duplicate key value violates unique constraint "user_key"', '23505'));
  expect(logged).toMatchObject({ code: '23505', message: 'duplicate key value violates unique constraint "user_key"' });
  expect(JSON.stringify(logged)).not.toMatch(/clinic|61\.25/);
});

test('a value that the database could not read is not repeated, in message or stack', () => {
  const logged = loggedError(databaseError('invalid input syntax for type integer: "61.25"', '22P02'));
  expect(logged.message).toBe('invalid input syntax for type integer: "…"');
  expect(JSON.stringify(logged)).not.toContain('61.25');
});

test('the code of a driver error inside an error of the models is found', () => {
  const parent = databaseError('value "61.25" is out of range', '22003');
  const logged = loggedError(
    Object.assign(new Error(parent.message), { parent, sql: 'insert 61.25', parameters: [61.25] }),
  );
  expect(logged.code).toBe('22003');
  expect(JSON.stringify(logged)).not.toContain('61.25');
});

test('broken JSON is not repeated', () => {
  let caught: unknown;
  try {
    JSON.parse('{"heart_rate": 61.25, oops}');
  } catch (error) {
    caught = error;
  }
  expect(JSON.stringify(loggedError(caught))).not.toContain('61.25');
});

test('causes are shown, and the stack stays', () => {
  const logged = loggedError(new TypeError('outer', { cause: new RangeError('inner') }));
  expect(logged).toMatchObject({
    type: 'TypeError',
    message: 'outer',
    cause: { type: 'RangeError', message: 'inner' },
  });
  expect(logged.stack).toContain('logged-error.test');
});

test('a thrown text is not shown', () => {
  expect(JSON.stringify(loggedError('secret'))).not.toContain('secret');
});
