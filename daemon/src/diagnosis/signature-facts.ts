import type { ProviderId } from '@healthd/model';
import type { Provider } from '@healthd/providers';
import { type Connection, scopesIn } from '../connections/index.js';
import type { ProviderFacts } from './provider-facts.js';
import type { SignatureRow } from './trouble.sql.js';

/** State of a provider that is independent of its connections. */
export interface ProviderState {
  provider: Provider;
  isConfigured: boolean;
  isEnabled: boolean;
}

export type InstantOf = (name: string) => Date | undefined;

/**
 * Returns the facts that all connections with one signature share. Facts about a single user's data get healthy values.
 * @param instant returns one of these connections' times by name, e.g. the earliest one
 */
export function factsOf(
  row: SignatureRow,
  state: ProviderState,
  now: Date,
  instant: InstantOf,
  missingDataTypes: (connection: Connection) => readonly string[],
): ProviderFacts {
  const connection = connectionOf(row, now, instant);
  const { provider, isConfigured, isEnabled } = state;
  return {
    provider: provider.id,
    name: provider.displayName,
    canConnect: provider.capabilities.oauth,
    canPush: provider.capabilities.push,
    hasPushed: row.is_phone_silent,
    isConfigured,
    isEnabled,
    connection,
    missingDataTypes: missingDataTypes(connection),
    failingDataTypes: failingTypes(row, instant),
    openRun: row.has_run
      ? {
          runId: '',
          createdAt: row.is_run_old || row.retry_reason ? (instant('run_at') ?? now) : now,
          retryReason: row.retry_reason ?? undefined,
          nextTryAt: undefined,
        }
      : undefined,
    isWebhookStale: row.is_webhook_silent,
    nextPollAt: undefined,
    lastDataAt: now,
    archivedBefore: undefined,
    isZoneUnknown: false,
    unplacedDataTypes: [],
  };
}

function failingTypes({ failed_type: failed }: SignatureRow, instant: InstantOf): ProviderFacts['failingDataTypes'] {
  if (failed === null) return [];
  const [dataType = '', ...error] = failed.split(': ');
  return [{ dataType, error: error.join(': '), since: instant('failed_since') }];
}

function connectionOf(row: SignatureRow, now: Date, instant: InstantOf): Connection {
  return {
    id: '',
    userKey: 0,
    userId: '',
    provider: row.provider as ProviderId,
    status: row.status,
    statusReason: (row.status_reason ?? undefined) as Connection['statusReason'],
    providerUserId: undefined,
    sourceAccount: '',
    providerUsername: undefined,
    scope: row.scope ?? undefined,
    grantedScopes: scopesIn(row.scope),
    hasTokens: row.has_tokens,
    timeZone: undefined,
    accountState: row.account_state,
    accountCheckedAt: undefined,
    consentedAt: row.has_consented ? (instant('consented_at') ?? now) : undefined,
    backfillStartedAt: undefined,
    polledAt: undefined,
    // A phone that is not silent counts as seen now, so that it cannot be diagnosed as silent.
    lastSyncedAt: row.is_phone_silent ? instant('last_synced_at') : now,
    lastNotifiedAt: instant('last_notified_at'),
    lastError: row.last_error ?? undefined,
    lastErrorAt: undefined,
    failingSince: row.is_failing ? (instant('failing_since') ?? now) : undefined,
    nextTryAt: undefined,
    createdAt: instant('created_at') ?? now,
    updatedAt: instant('updated_at') ?? now,
  };
}
