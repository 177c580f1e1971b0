import { randomUUID } from 'node:crypto';
import type { Sequelize } from 'sequelize';
import { API_KEY_PREFIX } from './api-keys.js';
import { accountModels } from './models.js';
import { hashSecret } from './secrets.js';

/** An API key of another service, in clear. */
export interface AdoptedApiKey {
  key: string;
  name: string | null;
  createdAt: Date;
}

/**
 * Takes over the hashes of keys, without limits, so that their holders can go on using them. What is no key, is
 * here already, or was taken over before and revoked since, is left out.
 * @returns how many are new
 */
export async function adoptApiKeys(sequelize: Sequelize, keys: readonly AdoptedApiKey[]): Promise<number> {
  const { apiKeys, adoptedKeys } = accountModels(sequelize);
  const given = keys.filter(({ key }) => isAdoptableKey(key));
  const known = await knownHashes(
    sequelize,
    given.map(({ key }) => hashSecret(key)),
  );
  const fresh = new Map(given.map((one) => [hashSecret(one.key).toString('hex'), one]));
  for (const hash of known) fresh.delete(hash);
  const rows = [...fresh.values()].map(({ key, name, createdAt }) => ({
    id: randomUUID(),
    name: name ?? 'Default',
    prefix: API_KEY_PREFIX,
    lastFour: key.slice(-4),
    keyHash: hashSecret(key),
    scopes: null,
    createdBy: null,
    createdAt,
    expiresAt: null,
  }));
  await sequelize.transaction(async (transaction) => {
    const notes = rows.map(({ keyHash }) => ({ keyHash }));
    await adoptedKeys.bulkCreate(notes, { ignoreDuplicates: true, transaction });
    await apiKeys.bulkCreate(rows, { ignoreDuplicates: true, transaction });
  });
  return rows.length;
}

/** Whether a key looks like those of this service; keys of another form are not looked up when a call arrives. */
export function isAdoptableKey(key: string): boolean {
  return key.startsWith(API_KEY_PREFIX) && key.length >= API_KEY_PREFIX.length + 32;
}

/** How many of these keys are here already, or were and have been revoked. */
export async function countKnownKeys(sequelize: Sequelize, keys: readonly string[]): Promise<number> {
  const known = await knownHashes(sequelize, keys.map(hashSecret));
  return keys.filter((key) => known.has(hashSecret(key).toString('hex'))).length;
}

/** Those of these hashes that are stored, in hex. */
async function knownHashes(sequelize: Sequelize, hashes: Buffer[]): Promise<Set<string>> {
  const { apiKeys, adoptedKeys } = accountModels(sequelize);
  const stored = await Promise.all([
    apiKeys.findAll({ attributes: ['keyHash'], where: { keyHash: hashes } }),
    adoptedKeys.findAll({ where: { keyHash: hashes } }),
  ]);
  return new Set(stored.flat().map(({ keyHash }) => keyHash.toString('hex')));
}
