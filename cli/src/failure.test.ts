import { ApiError, UnreachableError } from '@healthd/client';
import { expect, test } from 'vitest';
import { exitCodesText } from './commands/help.js';
import { EXIT } from './exit-codes.js';
import { CliError, failureJson, failureOf } from './failure.js';

test.each([
  [401, EXIT.denied],
  [403, EXIT.denied],
  [404, EXIT.failed],
  [409, EXIT.failed],
  [413, EXIT.failed],
  [422, EXIT.usage],
  [500, EXIT.failed],
])('maps status %i to exit code %i', (status, exitCode) => {
  const failure = failureOf(new ApiError(status, 'text of the service', [], 'r1', undefined));
  expect(failure).toMatchObject({ exitCode, message: 'text of the service', requestId: 'r1' });
});

test('explains how to start an unreachable service', () => {
  const failure = failureOf(new UnreachableError('http://localhost:1', new Error('ECONNREFUSED')));
  expect(failure).toMatchObject({ exitCode: 5, code: 'unreachable', hint: expect.stringContaining('npm start') });
});

test('distinguishes a slow service from a stopped service', () => {
  const late = new UnreachableError('http://localhost:1', new DOMException('late', 'TimeoutError'));
  const { hint, ...failure } = failureOf(late);
  expect(failure).toEqual({
    exitCode: 5,
    code: 'unreachable',
    message: expect.stringContaining('http://localhost:1'),
  });
  expect(hint).not.toContain('npm start');
});

test('writes failures as code, message, hint and request_id', () => {
  expect(failureJson(failureOf(new CliError('c', 'm')))).toEqual({
    code: 'c',
    message: 'm',
    hint: null,
    request_id: null,
  });
});

test('shows the retry delay of the service', () => {
  expect(failureOf(new ApiError(429, 'Too many', [], undefined, 12)).hint).toBe('Try again in 12 s.');
});

test('lists every exit code once in the help', () => {
  const listed = exitCodesText()
    .split('\n')
    .flatMap((line) => /^ +(\d+) {2}/.exec(line)?.[1] ?? [])
    .map(Number);
  expect(listed).toEqual(Object.values(EXIT));
});
