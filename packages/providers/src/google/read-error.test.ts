import { MS_PER_DAY } from '@healthd/model';
import { expect, it } from 'vitest';
import { readGoogleError } from './read-error.js';

function envelope(status: string, reason?: string, metadata?: object): object {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'health.googleapis.com',
    metadata,
  };
  return { error: { code: 400, status, message: 'A sentence that may change.', details: reason ? [info] : [] } };
}

it.each([
  [400, envelope('FAILED_PRECONDITION', 'ACCOUNT_NOT_LINKED'), 'account_not_linked'],
  [403, envelope('PERMISSION_DENIED'), 'account_not_linked'],
  [412, envelope('FAILED_PRECONDITION'), 'account_not_ready'],
  [403, envelope('PERMISSION_DENIED', 'MISSING_OAUTH_SCOPE'), 'scope_missing'],
  [403, envelope('PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'), 'scope_missing'],
  [403, envelope('PERMISSION_DENIED', 'SERVICE_DISABLED'), 'operator'],
  [403, envelope('PERMISSION_DENIED', 'USER_PROJECT_DENIED'), 'operator'],
  [404, undefined, 'invalid_request'],
  [404, envelope('NOT_FOUND', 'RESOURCE_NOT_FOUND'), undefined],
  [400, envelope('INVALID_ARGUMENT', 'INVALID_DATA_POINT_FILTER'), undefined],
  [429, envelope('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED'), undefined],
  [502, undefined, undefined],
])('maps status %i with %j to %s', (status, body, code) => {
  expect(readGoogleError(status, body)?.code).toBe(code);
});

it('returns the maximum range from a range error', () => {
  const body = envelope('INVALID_ARGUMENT', 'INVALID_ROLLUP_QUERY_DURATION', { maxDurationDays: '14' });
  expect(readGoogleError(400, body)).toEqual({
    code: 'range_too_long',
    reason: 'INVALID_ROLLUP_QUERY_DURATION',
    longestMs: 14 * MS_PER_DAY,
  });
});

it("keeps the vendor's reason but not its message", () => {
  expect(readGoogleError(400, envelope('INVALID_ARGUMENT'))).toEqual({ reason: 'INVALID_ARGUMENT' });
});
