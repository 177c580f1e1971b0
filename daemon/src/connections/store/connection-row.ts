import type { ProviderId } from '@healthd/model';
import type { AccountState, Connection, ConnectionStatus, StatusReason } from './connection.js';
import { scopesIn } from './granted.js';

/** A row of `connection` as {@link CONNECTION_COLUMNS} selects it. */
export interface ConnectionRow {
  id: string;
  user_key: number;
  user_id: string;
  provider: ProviderId;
  status: ConnectionStatus;
  status_reason: StatusReason | null;
  provider_user_id: string | null;
  source_account: string;
  provider_username: string | null;
  scope: string | null;
  has_tokens: boolean;
  time_zone: string | null;
  account_state: AccountState;
  account_checked_at: Date | null;
  consented_at: Date | null;
  backfill_started_at: Date | null;
  polled_at: Date | null;
  last_synced_at: Date | null;
  last_notified_at: Date | null;
  last_error: string | null;
  last_error_at: Date | null;
  failing_since: Date | null;
  next_try_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * Columns of `connection c`, with the user's public ID and the next attempt of its first waiting run. Never its tokens.
 */
export const CONNECTION_COLUMNS = `c.id, c.user_key, (select u.id from health_user u where u.user_key = c.user_key) as user_id,
  c.provider, c.status, c.status_reason, c.provider_user_id,
  coalesce(c.source_account, c.provider_user_id, 'connection:' || c.id) as source_account, c.provider_username, c.scope,
  c.access_token is not null as has_tokens, c.time_zone, c.account_state, c.account_checked_at, c.consented_at,
  c.backfill_started_at, c.polled_at, c.last_synced_at, c.last_notified_at, c.last_error, c.last_error_at, c.failing_since,
  (select min(r.next_try_at) from sync_run r
    where r.user_key = c.user_key and r.provider = c.provider and r.source <> 'xml_import'
      and r.next_try_at is not null) as next_try_at,
  c.created_at, c.updated_at`;

export function connectionOf(row: ConnectionRow): Connection {
  return {
    id: row.id,
    userKey: row.user_key,
    userId: row.user_id,
    provider: row.provider,
    status: row.status,
    statusReason: row.status_reason ?? undefined,
    providerUserId: row.provider_user_id ?? undefined,
    sourceAccount: row.source_account,
    providerUsername: row.provider_username ?? undefined,
    scope: row.scope ?? undefined,
    grantedScopes: scopesIn(row.scope),
    hasTokens: row.has_tokens,
    timeZone: row.time_zone ?? undefined,
    accountState: row.account_state,
    accountCheckedAt: row.account_checked_at ?? undefined,
    consentedAt: row.consented_at ?? undefined,
    backfillStartedAt: row.backfill_started_at ?? undefined,
    polledAt: row.polled_at ?? undefined,
    lastSyncedAt: row.last_synced_at ?? undefined,
    lastNotifiedAt: row.last_notified_at ?? undefined,
    lastError: row.last_error ?? undefined,
    lastErrorAt: row.last_error_at ?? undefined,
    failingSince: row.failing_since ?? undefined,
    nextTryAt: row.next_try_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
