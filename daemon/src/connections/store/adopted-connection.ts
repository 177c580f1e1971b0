import { randomUUID } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { lockUserIfExists } from '../../platform/database/index.js';
import type { TokenStore } from '../tokens/stored-tokens.js';
import type { ConnectionStatus } from './connection.js';

/** A connection of another service with plain tokens. Times are in Postgres format. */
export interface AdoptedConnection {
  provider: ProviderId;
  status: ConnectionStatus;
  providerUserId: string | null;
  providerUsername: string | null;
  scope: string | null;
  accessToken: string | null;
  refreshToken: string | null;
  tokenExpiresAt: string | null;
  lastSyncedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Outcome for the row; `kept` means unchanged. */
export type Adoption = 'new' | 'updated' | 'kept';

const REASON = { active: null, revoked: 'user_disconnected', expired: 'token_expired' } as const;

/**
 * Adopts a connection and seals its tokens. An ended connection has no tokens. The last sync becomes the consent time,
 * so that the first pull continues from there. Keeps an existing connection whose tokens changed here, even if it
 * ended. Updates any other existing connection if the adopted connection is newer or supplies missing tokens.
 */
export async function adoptConnection(
  client: pg.ClientBase,
  tokens: TokenStore,
  user: { id: string; userKey: number },
  adopted: AdoptedConnection,
): Promise<Adoption> {
  const { provider, status } = adopted;
  const isActive = status === 'active';
  const hasTokens = isActive && (adopted.accessToken !== null || adopted.refreshToken !== null);
  await lockUserIfExists(client, { userKey: user.userKey });
  const { rows } = await client.query<{ id: string; may_follow: boolean }>(
    `select id, token_version = 0 and (updated_at < $3 or ($4 and access_token is null and refresh_token is null))
              as may_follow
       from connection where user_key = $1 and provider = $2 for no key update`,
    [user.userKey, provider, adopted.updatedAt, hasTokens],
  );
  const known = rows[0];
  if (known && !known.may_follow) return 'kept';

  const id = known?.id ?? randomUUID();
  const seal = (column: 'access_token' | 'refresh_token', token: string | null) =>
    isActive && token !== null ? tokens.sealOne({ id, userId: user.id }, column, token) : null;
  await client.query(
    `insert into connection as stored (id, user_key, provider, status, status_reason, provider_user_id, cursor_account,
       provider_username, scope, access_token, refresh_token, token_expires_at, consented_at, backfill_started_at,
       last_synced_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11,
       case when $12 then coalesce($13::timestamptz, $14::timestamptz) end,
       case when $12 then $13::timestamptz end, $13::timestamptz, $14::timestamptz, $15)
     on conflict (user_key, provider) do update set status = excluded.status, status_reason = excluded.status_reason,
       provider_user_id = excluded.provider_user_id, cursor_account = excluded.cursor_account,
       provider_username = excluded.provider_username, scope = excluded.scope, access_token = excluded.access_token,
       refresh_token = excluded.refresh_token, token_expires_at = excluded.token_expires_at,
       consented_at = coalesce(stored.consented_at, excluded.consented_at),
       backfill_started_at = coalesce(stored.backfill_started_at, excluded.backfill_started_at),
       last_synced_at = greatest(stored.last_synced_at, excluded.last_synced_at), updated_at = excluded.updated_at`,
    [
      id,
      user.userKey,
      provider,
      status,
      REASON[status],
      adopted.providerUserId,
      adopted.providerUsername,
      adopted.scope,
      seal('access_token', adopted.accessToken),
      seal('refresh_token', adopted.refreshToken),
      isActive ? adopted.tokenExpiresAt : null,
      hasTokens,
      adopted.lastSyncedAt,
      adopted.createdAt,
      adopted.updatedAt,
    ],
  );
  return known ? 'updated' : 'new';
}
