import { randomUUID } from 'node:crypto';
import type { Sequelize } from 'sequelize';
import { API_KEY_PREFIX } from './api-keys.js';
import { accountModels } from './models.js';
import { hashSecret } from './secrets.js';

/** The hash of another service's API key, with the displayable parts of the key. */
export interface AdoptedApiKey {
  keyHash: Buffer;
  /** First characters of the key. */
  prefix: string;
  /** Empty if the other service stores only a hash. */
  lastFour: string;
  name: string | null;
  createdAt: Date;
}

/** Returns the hash of a plain key and its displayable parts; undefined if this service would reject the key. */
export function adoptablePlainKey(key: string): Pick<AdoptedApiKey, 'keyHash' | 'prefix' | 'lastFour'> | undefined {
  if (!key.startsWith(API_KEY_PREFIX) || key.length < API_KEY_PREFIX.length + 32) return undefined;
  return { keyHash: hashSecret(key), prefix: API_KEY_PREFIX, lastFour: key.slice(-4) };
}

/**
 * Converts a key that the other service stores only as a hash. Returns undefined if no key of this service can match
 * the hash. Keys are looked up by the SHA-256 of their whole text, so only that hash can match.
 */
export function adoptableHashedKey(
  hash: string,
  prefix: string,
): Pick<AdoptedApiKey, 'keyHash' | 'prefix' | 'lastFour'> | undefined {
  if (!/^[\da-f]{64}$/i.test(hash) || !prefix.startsWith(API_KEY_PREFIX)) return undefined;
  return { keyHash: Buffer.from(hash, 'hex'), prefix, lastFour: '' };
}

/**
 * Stores the keys with full access and without expiry, so that their holders can continue to use them. Skips keys that
 * already exist, and keys that were adopted before and then revoked.
 * @returns the number of new keys
 */
export async function adoptApiKeys(sequelize: Sequelize, keys: readonly AdoptedApiKey[]): Promise<number> {
  const { apiKeys, adoptedKeys } = accountModels(sequelize);
  const known = await knownHashes(
    sequelize,
    keys.map(({ keyHash }) => keyHash),
  );
  const fresh = new Map(keys.map((key) => [key.keyHash.toString('hex'), key]));
  for (const hash of known) fresh.delete(hash);
  const rows = [...fresh.values()].map((key) => ({
    ...key,
    id: randomUUID(),
    name: key.name ?? 'Default',
    scopes: null,
    createdBy: null,
    expiresAt: null,
  }));
  await sequelize.transaction(async (transaction) => {
    const hashes = rows.map(({ keyHash }) => ({ keyHash }));
    await adoptedKeys.bulkCreate(hashes, { ignoreDuplicates: true, transaction });
    await apiKeys.bulkCreate(rows, { ignoreDuplicates: true, transaction });
  });
  return rows.length;
}

/** Counts the keys that exist here, or were adopted before and then revoked. */
export async function countKnownKeys(sequelize: Sequelize, keys: readonly AdoptedApiKey[]): Promise<number> {
  const known = await knownHashes(
    sequelize,
    keys.map(({ keyHash }) => keyHash),
  );
  return keys.filter(({ keyHash }) => known.has(keyHash.toString('hex'))).length;
}

/** Returns the subset of these hashes that is stored, in hex. */
async function knownHashes(sequelize: Sequelize, hashes: Buffer[]): Promise<Set<string>> {
  const { apiKeys, adoptedKeys } = accountModels(sequelize);
  const stored = await Promise.all([
    apiKeys.findAll({ attributes: ['keyHash'], where: { keyHash: hashes } }),
    adoptedKeys.findAll({ where: { keyHash: hashes } }),
  ]);
  return new Set(stored.flat().map(({ keyHash }) => keyHash.toString('hex')));
}
