import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, UserMissingError } from '../platform/database/index.js';
import type { SealedField, Vault } from '../vault/index.js';

const KEY_BYTES = 32;

/** The random key of a user's digests. */
export interface DigestKey {
  /** Identifies the key without revealing it. */
  id: string;
  bytes: Buffer;
}

/**
 * Returns the key of a user's digests; creates it at the first call. Also creates a new key if the stored key cannot be
 * decrypted. Receivers notice the changed ID and take a new snapshot.
 * @throws UserMissingError
 */
export async function digestKeyOf(
  pool: pg.Pool,
  vault: Vault,
  { id: userId, userKey }: { id: string; userKey: number },
): Promise<DigestKey> {
  const field: SealedField = { table: 'user_digest', column: 'digest_key_sealed', row: userId, userId };
  const stored = await readKey(pool, vault, field, userKey);
  if (stored) return stored;
  return inTransaction(pool, async (client) => {
    // An erasure waits for this lock, so the row cannot appear after the erasure.
    const { rowCount } = await client.query('select from health_user where user_key = $1 for key share', [userKey]);
    if (!rowCount) throw new UserMissingError();
    // Two requests may find no key. The second request waits here and finds the first request's key.
    await client.query(
      `insert into user_digest (user_key, digest_key_sealed) values ($1, '') on conflict (user_key) do nothing`,
      [userKey],
    );
    await client.query('select from user_digest where user_key = $1 for update', [userKey]);
    const concurrent = await readKey(client, vault, field, userKey);
    if (concurrent) return concurrent;
    const hex = randomBytes(KEY_BYTES).toString('hex');
    await client.query('delete from day_digest where user_key = $1', [userKey]);
    await client.query('update user_digest set digest_key_sealed = $2 where user_key = $1', [
      userKey,
      vault.seal(field, hex),
    ]);
    return keyOf(hex);
  });
}

async function readKey(
  client: Pick<pg.ClientBase, 'query'>,
  vault: Vault,
  field: SealedField,
  userKey: number,
): Promise<DigestKey | undefined> {
  const { rows } = await client.query<{ sealed: string }>(
    'select digest_key_sealed as sealed from user_digest where user_key = $1',
    [userKey],
  );
  const hex = rows[0] && vault.open(field, rows[0].sealed);
  return hex === undefined ? undefined : keyOf(hex);
}

function keyOf(hex: string): DigestKey {
  const bytes = Buffer.from(hex, 'hex');
  return { id: createHash('sha256').update('healthd/digest-key/').update(bytes).digest('hex').slice(0, 16), bytes };
}
