import { ApiError } from '@healthd/client';
import { expect, test } from 'vitest';
import { fieldErrors } from './service-errors.js';

const FIELDS = ['email', 'time_zone'];

function refusal(...rows: [loc: (string | number)[], msg: string][]): ApiError {
  const problems = rows.map(([loc, msg]) => ({ loc, msg, type: 'value_error' }));
  return new ApiError(422, 'refused', problems, undefined, undefined);
}

test('assigns body and query errors to form fields', () => {
  const { messages, isComplete } = fieldErrors(
    refusal([['body', 'email'], 'is no email address'], [['query', 'time_zone'], 'is no time zone']),
    FIELDS,
  );
  expect([...messages].toSorted()).toEqual([
    ['email', 'is no email address'],
    ['time_zone', 'is no time zone'],
  ]);
  expect(isComplete).toBe(true);
});

test('shows the first error inside a field value', () => {
  const { messages, isComplete } = fieldErrors(
    refusal([['body', 'email', 0], 'is the first'], [['body', 'email', 1], 'is the second']),
    FIELDS,
  );
  expect([...messages]).toEqual([['email', 'is the first']]);
  expect(isComplete).toBe(true);
});

test('reports that an error without a form field is unassigned', () => {
  const { messages, isComplete } = fieldErrors(
    refusal(
      [['body', 'email'], 'is no email address'],
      [['path', 'time_zone'], 'is no path'],
      [['body'], 'is no object'],
    ),
    FIELDS,
  );
  expect([...messages]).toEqual([['email', 'is no email address']]);
  expect(isComplete).toBe(false);
});

test('assigns no message to a field if an error has no details', () => {
  for (const error of [refusal(), new Error('No answer'), null]) {
    expect(fieldErrors(error, FIELDS)).toEqual({ messages: new Map(), isComplete: false });
  }
});
