import { MS_PER_DAY } from '@healthd/model';
import type { ErrorReader, VendorFailure } from '../cloud/index.js';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';

/** Error codes by reason, whatever the status. The vendor's messages change, so they are ignored. */
const BY_REASON: Readonly<Record<string, VendorFailure['code']>> = {
  ACCOUNT_NOT_LINKED: 'account_not_linked',
  MISSING_OAUTH_SCOPE: 'scope_missing',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'scope_missing',
  SERVICE_DISABLED: 'operator',
  USER_PROJECT_DENIED: 'operator',
  INVALID_ROLLUP_QUERY_DURATION: 'range_too_long',
};

/** Maps a Google Health API error to a code: by reason, then by status. */
export function readGoogleError(status: number, body: unknown): ReturnType<ErrorReader> {
  const error = isObject(body) && isObject(body.error) ? body.error : undefined;
  // An unknown path returns an HTML page. This is our bug, not missing data.
  if (error === undefined) return status === 404 ? { code: 'invalid_request' } : undefined;
  const info = errorInfo(error);
  const reason = textOf(info?.reason, 80);
  const code = reason === undefined ? undefined : BY_REASON[reason];
  return {
    code: code ?? codeOfStatus(status, textOf(error.status), reason),
    reason: reason ?? textOf(error.status, 80),
    longestMs: code === 'range_too_long' ? longestMs(info) : undefined,
  };
}

function codeOfStatus(
  status: number,
  named: string | undefined,
  reason: string | undefined,
): VendorFailure['code'] | undefined {
  if (status === 412) return 'account_not_ready';
  // Accounts from before Google Health that were not migrated are rejected without a reason.
  if (status === 403) return named === 'PERMISSION_DENIED' && reason === undefined ? 'account_not_linked' : 'operator';
  return undefined;
}

function errorInfo(error: PayloadObject): PayloadObject | undefined {
  const details = Array.isArray(error.details) ? error.details : [];
  return details.filter(isObject).find(({ reason }) => typeof reason === 'string');
}

function longestMs(info: PayloadObject | undefined): number | undefined {
  const days = isObject(info?.metadata) ? Number(info.metadata.maxDurationDays) : Number.NaN;
  return days > 0 ? days * MS_PER_DAY : undefined;
}
