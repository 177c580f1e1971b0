import { DEVICE_TYPES, isProviderId } from '@healthd/model';
import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import { type AdoptedApiKey, adoptApiKeys, adoptableHashedKey, adoptablePlainKey } from '../accounts/index.js';
import { adoptConnection, type TokenStore } from '../connections/index.js';
import { PriorityStore } from '../priorities/index.js';
import type { SourceDatabase } from './source-database.js';

/** Copies API keys as hashes. @returns the number of new keys */
export async function copyApiKeys(source: SourceDatabase, sequelize: Sequelize): Promise<number> {
  return adoptApiKeys(sequelize, (await readApiKeys(source)).keys);
}

/**
 * Reads the API keys of the source. Up to version 0.7, a row's ID is the plain key. From 0.8.0 on, a row contains the
 * key's SHA-256 in hex and its first ten characters.
 */
export async function readApiKeys(source: SourceDatabase): Promise<{ keys: AdoptedApiKey[]; unusable: number }> {
  // Reads optional columns as members of the row's JSON, because older versions lack them.
  const rows = await source.query<{
    id: string;
    hash: string | null;
    prefix: string | null;
    name: string | null;
    createdMs: number;
  }>(
    `select id::text as id, to_jsonb(k) ->> 'key_hash' as hash, to_jsonb(k) ->> 'key_prefix' as prefix, name,
            (extract(epoch from created_at) * 1000)::float8 as "createdMs"
       from api_key k order by created_at, id`,
  );
  const keys = rows.flatMap(({ id, hash, prefix, name, createdMs }) => {
    const key = hash === null ? adoptablePlainKey(id) : adoptableHashedKey(hash, prefix ?? '');
    return key ? [{ ...key, name, createdAt: new Date(createdMs) }] : [];
  });
  return { keys, unusable: rows.length - keys.length };
}

/**
 * Copies the priorities of providers and device types, but only to a service without users. Later runs therefore keep
 * priorities that were set here.
 */
export async function copyPriorities(source: SourceDatabase, pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('select 1 from health_user limit 1');
  if (rows.length > 0) return;
  const read = (kind: 'provider' | 'device_type') =>
    source.query<{ name: string; priority: number }>(
      `select ${kind} as name, priority from ${kind}_priority where priority between 1 and 100`,
    );
  const providers = (await read('provider')).filter(({ name }) => isProviderId(name));
  const types = (await read('device_type')).filter(({ name }) => DEVICE_TYPES.some((type) => type === name));
  const priorities = new PriorityStore(pool);
  if (providers.length > 0) await priorities.providers.set(providers);
  if (types.length > 0) await priorities.deviceTypes.set(types);
}

interface ConnectionRow {
  provider: string;
  status: string;
  provider_user_id: string | null;
  provider_username: string | null;
  scope: string | null;
  access_token: string | null;
  refresh_token: string | null;
  token_expires_at: string | null;
  last_synced_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Copies one user's connections. @returns the numbers of new and updated connections */
export async function copyConnections(
  source: SourceDatabase,
  client: pg.ClientBase,
  tokens: TokenStore,
  user: { id: string; userKey: number },
): Promise<{ new: number; updated: number }> {
  const rows = await source.query<ConnectionRow>(
    `select provider, status, provider_user_id, provider_username, scope, nullif(access_token, '') as access_token,
            nullif(refresh_token, '') as refresh_token, token_expires_at::text, last_synced_at::text,
            created_at::text, coalesce(updated_at, created_at)::text as updated_at
       from user_connection where user_id = $1 order by provider`,
    [user.id],
  );
  const counts = { new: 0, updated: 0 };
  for (const row of rows) {
    const { provider } = row;
    if (!isProviderId(provider)) continue;
    const adoption = await adoptConnection(client, tokens, user, {
      provider,
      status: row.status === 'active' || row.status === 'revoked' ? row.status : 'expired',
      providerUserId: row.provider_user_id,
      providerUsername: row.provider_username,
      scope: row.scope,
      accessToken: row.access_token,
      refreshToken: row.refresh_token,
      tokenExpiresAt: row.token_expires_at,
      lastSyncedAt: row.last_synced_at,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    });
    if (adoption !== 'kept') counts[adoption] += 1;
  }
  return counts;
}
