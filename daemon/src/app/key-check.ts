import type pg from 'pg';
import { revokeUnreadableInvitations } from '../accounts/index.js';
import { endUnreadableConnections } from '../connections/index.js';
import { withClient } from '../platform/database/index.js';
import { SettingsError } from '../platform/settings-error.js';
import { createVault, keyFingerprint, type Vault } from '../vault/index.js';

const KNOWN_CONTENT = 'healthd';

/** Tables with sealed values, each with a condition for the rows that may be needed again. */
const SEALED_ROWS = [
  ['encryption_key_check', 'true'],
  ['connection', 'access_token is not null or refresh_token is not null'],
  ['developer_invitation', `status = 'pending'`],
] as const;

/**
 * Counts, by key, the sealed values that must stay readable. Ignores values that expire within minutes, such as
 * consents in progress.
 */
const SEALED = `
select split_part(sealed, '.', 2) as key_id, count(*)::int as count from (
  select access_token as sealed from connection where access_token is not null
  union all select refresh_token from connection where refresh_token is not null
  union all select token_sealed from developer_invitation where status = 'pending' and expires_at > now()
) s group by 1`;

/**
 * Checks that ENCRYPTION_KEY can decrypt all sealed values that must stay readable, and at least one check value.
 * Stores a check value for the current key, and deletes the check values that it cannot decrypt. Requires the current
 * schema.
 * @throws SettingsError that names ENCRYPTION_KEY
 */
export async function requireEncryptionKey(pool: pg.Pool, keys: Parameters<typeof createVault>[0]): Promise<void> {
  const vault = createVault(keys);
  const checks = (await pool.query<{ key_id: string; sealed: string }>('select * from encryption_key_check')).rows;
  const closed = checks.filter((check) => vault.open(fieldOf(check.key_id), check.sealed) !== KNOWN_CONTENT);
  const inUse = await sealedByKey(pool);
  const lost = inUse.filter(({ key_id }) => !vault.hasKey(key_id) || closed.some((check) => check.key_id === key_id));
  if (lost.length > 0 || (checks.length > 0 && closed.length === checks.length)) {
    const ids = new Set([...lost, ...closed].map(({ key_id }) => key_id));
    throw wrongKey(
      [...ids],
      lost.reduce((sum, { count }) => sum + count, 0),
    );
  }
  await pool.query('delete from encryption_key_check where key_id = any($1)', [closed.map(({ key_id }) => key_id)]);
  await storeCheck(pool, vault);
}

/** Counts, by key, the sealed values that must stay readable. Requires the current schema. */
export async function sealedByKey(pool: pg.Pool): Promise<{ key_id: string; count: number }[]> {
  return (await pool.query<{ key_id: string; count: number }>(SEALED)).rows;
}

/** True if the database contains values sealed with an ENCRYPTION_KEY. Works before the schema is up to date. */
export async function hasSealedValues(url: string): Promise<boolean> {
  return withClient({ url, applicationName: 'healthd keys' }, async (client) => {
    for (const [table, isSealed] of SEALED_ROWS) {
      const found = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table]);
      if (!found.rows[0]?.exists) continue;
      const sealed = await client.query(`select 1 from ${table} where ${isSealed} limit 1`);
      if (sealed.rows.length > 0) return true;
    }
    return false;
  });
}

/**
 * Ends connections and revokes invitations whose secrets none of these keys can decrypt. Also deletes the check values
 * of all other keys.
 * @returns the numbers of ended connections and revoked invitations
 */
export async function discardSealed(
  client: pg.ClientBase,
  keys: readonly Uint8Array[],
): Promise<{ connections: number; invitations: number }> {
  const keyIds = keys.map(keyFingerprint);
  await client.query('begin');
  const connections = await endUnreadableConnections(client, keyIds);
  const invitations = await revokeUnreadableInvitations(client, keyIds);
  await client.query('delete from encryption_key_check where key_id <> all($1)', [keyIds]);
  await client.query('commit');
  return { connections, invitations };
}

async function storeCheck(pool: pg.Pool, vault: Vault): Promise<void> {
  const { currentKeyId: id } = vault;
  await pool.query('insert into encryption_key_check (key_id, sealed) values ($1, $2) on conflict do nothing', [
    id,
    vault.seal(fieldOf(id), KNOWN_CONTENT),
  ]);
}

function fieldOf(keyId: string) {
  return { table: 'encryption_key_check', column: 'sealed', row: keyId };
}

function wrongKey(ids: string[], count: number): SettingsError {
  const what =
    count === 0 ? 'the secrets in this database' : `${count === 1 ? '1 secret' : `${count} secrets`} in this database`;
  return new SettingsError([
    `ENCRYPTION_KEY cannot decrypt ${what} (key fingerprint: ${ids.join(', ')}). Set that key again, alone or ` +
      'after a newer key and a comma. If it is lost: healthd admin discard-sealed',
  ]);
}
