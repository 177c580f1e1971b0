import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { API_KEY_PREFIX } from './api-keys.js';
import { hashSecret } from './secrets.js';

/** An API key of another service, in clear. `createdAt` as Postgres reads it. */
export interface AdoptedApiKey {
  key: string;
  name: string | null;
  createdAt: string;
}

/**
 * Takes over keys so that anyone who holds one goes on with it: of each its hash, without limits. What is no key, is
 * here already, or was taken over before and revoked since, is left out.
 * @returns how many are new
 */
export async function adoptApiKeys(client: pg.Pool | pg.ClientBase, keys: readonly AdoptedApiKey[]): Promise<number> {
  const known = keys.filter(({ key }) => isAdoptableKey(key));
  const { rowCount } = await (client as pg.Pool).query(
    `with given as (
       select * from unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[])
         as given (id, name, last_four, key_hash, created_at)
     ), adopted as (
       insert into adopted_api_key (key_hash) select key_hash from given on conflict do nothing returning key_hash
     )
     insert into api_key (id, name, prefix, last_four, key_hash, created_at)
     select id, name, $1, last_four, key_hash, created_at from given join adopted using (key_hash)
     on conflict (key_hash) do nothing`,
    [
      API_KEY_PREFIX,
      known.map(() => randomUUID()),
      known.map(({ name }) => name ?? 'Default'),
      known.map(({ key }) => key.slice(-4)),
      known.map(({ key }) => hashSecret(key)),
      known.map(({ createdAt }) => createdAt),
    ],
  );
  return rowCount ?? 0;
}

/** Whether a key looks like those of this service; no other one is looked for when somebody calls. */
export function isAdoptableKey(key: string): boolean {
  return key.startsWith(API_KEY_PREFIX) && key.length >= API_KEY_PREFIX.length + 32;
}

/** How many of these keys are here already, or were and have been revoked. */
export async function countKnownKeys(pool: pg.Pool, keys: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from unnest($1::bytea[]) given (hash)
      where exists (select from api_key where key_hash = hash) or exists (select from adopted_api_key where key_hash = hash)`,
    [keys.map(hashSecret)],
  );
  return rows[0]?.count ?? 0;
}
