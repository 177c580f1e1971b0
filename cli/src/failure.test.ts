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
])('an answer of status %i ends healthctl with exit code %i', (status, exitCode) => {
  const failure = failureOf(new ApiError(status, 'text of the service', [], 'r1', undefined));
  expect(failure).toMatchObject({ exitCode, message: 'text of the service', requestId: 'r1' });
});

test('a service that does not answer ends with 5 and says how to start it', () => {
  const failure = failureOf(new UnreachableError('http://localhost:1', new Error('ECONNREFUSED')));
  expect(failure).toMatchObject({ exitCode: 5, code: 'unreachable', hint: expect.stringContaining('npm start') });
});

test('a service that answers too late is not taken for one that does not run', () => {
  const late = new UnreachableError('http://localhost:1', new DOMException('late', 'TimeoutError'));
  const { hint, ...failure } = failureOf(late);
  expect(failure).toEqual({ exitCode: 5, code: 'unreachable', message: 'http://localhost:1 did not answer in time.' });
  expect(hint).toContain('The service may be busy');
  expect(hint).not.toContain('npm start');
});

test('a failure in JSON is always code, message, hint and request_id', () => {
  expect(failureJson(failureOf(new CliError('c', 'm')))).toEqual({
    code: 'c',
    message: 'm',
    hint: null,
    request_id: null,
  });
});

test('a service that asks to wait is passed on with the seconds', () => {
  expect(failureOf(new ApiError(429, 'Too many', [], undefined, 12)).hint).toBe('Try again in 12 s.');
});

test('the help lists every exit code once', () => {
  const listed = exitCodesText()
    .split('\n')
    .flatMap((line) => /^ +(\d+) {2}/.exec(line)?.[1] ?? [])
    .map(Number);
  expect(listed).toEqual(Object.values(EXIT));
});
