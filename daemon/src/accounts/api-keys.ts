import { randomUUID } from 'node:crypto';
import type { KeyScope } from '@healthd/contract';
import { MS_PER_MINUTE } from '@healthd/model';
import type { ApiKeyResponse } from '@healthd/schemas';
import { fn, literal, Op, type Transaction } from 'sequelize';
import { outageOf } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import { BriefCache } from './brief-cache.js';
import type { AccountModels, ApiKey } from './models.js';
import { hashSecret, newSecret } from './secrets.js';

/** The API key that authenticates a request. */
export interface KnownApiKey {
  id: string;
  /** Undefined: full access. */
  scopes: readonly KeyScope[] | undefined;
  expiresAt: Date | undefined;
}

export interface NewApiKey {
  name?: string | null;
  scopes?: KeyScope[] | null;
  expires_at?: Date | null;
}

export const API_KEY_PREFIX = 'sk-';
const CACHE_MILLISECONDS = 1000;

/** Condition for updating the time of last use: at most one write per key and minute. */
const USE_IS_OLD = { [Op.or]: [{ [Op.is]: null }, { [Op.lt]: literal(`now() - interval '1 minute'`) }] };
/** The database's clock, which also decides whether a key has expired. */
const NOW = literal('now()');

/** API keys: shown once, stored as SHA-256, listed masked. */
export class ApiKeys {
  readonly #known = new BriefCache<KnownApiKey>(CACHE_MILLISECONDS);

  constructor(private readonly models: AccountModels) {}

  async create(
    newKey: NewApiKey,
    createdBy: string | undefined,
    transaction?: Transaction,
  ): Promise<ApiKeyResponse & { key: string }> {
    const key = newSecret(API_KEY_PREFIX);
    const fields = {
      ...newRow(key),
      name: newKey.name ?? 'Default',
      scopes: newKey.scopes ?? null,
      createdBy: createdBy ?? null,
      expiresAt: newKey.expires_at ?? null,
    };
    const row = await this.models.apiKeys.create(fields, { transaction });
    return { ...toResponse(row), key };
  }

  /** Returns all keys, newest first. */
  async list(): Promise<ApiKeyResponse[]> {
    const order: [string, string][] = [
      ['createdAt', 'desc'],
      ['id', 'asc'],
    ];
    return (await this.models.apiKeys.findAll({ order })).map(toResponse);
  }

  /** @throws Failure `not_found` */
  async rename(id: string, name: string | undefined): Promise<ApiKeyResponse> {
    const row = await this.#one(id);
    return toResponse(name === undefined ? row : await row.update({ name }));
  }

  /**
   * Replaces a key with a new one of the same name, scopes and expiry. The old key expires immediately or after a grace
   * period.
   * @throws Failure `not_found`, `conflict` for an expired key, because the new one would also be expired
   */
  async rotate(id: string, graceSeconds: number, createdBy: string): Promise<ApiKeyResponse & { key: string }> {
    const row = await this.#one(id);
    if (row.expiresAt && row.expiresAt.getTime() <= Date.now()) {
      throw new Failure('conflict', 'This API key has expired. Create another one.');
    }
    const key = newSecret(API_KEY_PREFIX);
    const created = await this.models.apiKeys.sequelize!.transaction(async (transaction) => {
      // Creates the successor first, which locks the creator's row before the old key's row. Deleting that developer locks
      // in the same order, so the two cannot deadlock.
      const successor = await this.models.apiKeys.create(
        { ...newRow(key), name: row.name, scopes: row.scopes, createdBy, expiresAt: row.expiresAt },
        { transaction },
      );
      const old = await this.models.apiKeys.findByPk(id, { transaction, lock: true });
      if (!old) throw unknownKey(id);
      const end = new Date(Date.now() + graceSeconds * 1000);
      if (graceSeconds === 0) {
        await old.destroy({ transaction });
        // The old key may have replaced earlier keys. Points these keys to the new key.
        await this.models.apiKeys.update({ replacedBy: successor.id }, { where: { replacedBy: id }, transaction });
      } else {
        const expiresAt = old.expiresAt && old.expiresAt < end ? old.expiresAt : end;
        await old.update({ expiresAt, replacedBy: successor.id }, { transaction });
      }
      return successor;
    });
    this.#known.delete(row.keyHash.toString('hex'));
    return { ...toResponse(created), key };
  }

  /** Revokes a key: here immediately, in other processes within a second. @throws Failure `not_found` */
  async remove(id: string): Promise<ApiKeyResponse> {
    const row = await this.#one(id);
    await row.destroy();
    this.#known.delete(row.keyHash.toString('hex'));
    return toResponse(row);
  }

  /** Returns the key's record while it is valid. */
  async verify(key: string): Promise<KnownApiKey | undefined> {
    if (!key.startsWith(API_KEY_PREFIX)) return undefined;
    const hash = hashSecret(key);
    const known = await this.#known.get(hash.toString('hex'), () => this.#load(hash));
    return known && (known.expiresAt === undefined || known.expiresAt.getTime() > Date.now()) ? known : undefined;
  }

  /** True if the key exists here and has not expired. Unlike {@link verify}, this does not count as a use. */
  async isKnown(key: string): Promise<boolean> {
    const where = { keyHash: hashSecret(key), expiresAt: { [Op.or]: [{ [Op.is]: null }, { [Op.gt]: NOW }] } };
    return (await this.models.apiKeys.count({ where })) > 0;
  }

  async #load(hash: Buffer): Promise<KnownApiKey | undefined> {
    const { apiKeys } = this.models;
    const row = await apiKeys.findOne({ where: { keyHash: hash } });
    if (!row) return undefined;
    const known = { id: row.id, scopes: row.scopes ?? undefined, expiresAt: row.expiresAt ?? undefined };
    const useIsOld = !row.lastUsedAt || row.lastUsedAt.getTime() < Date.now() - MS_PER_MINUTE;
    if (useIsOld && (!known.expiresAt || known.expiresAt.getTime() > Date.now())) {
      // Ignores a full disk, so that callers can still read data with the key.
      await apiKeys
        .update({ lastUsedAt: fn('now') as unknown as Date }, { where: { id: row.id, lastUsedAt: USE_IS_OLD } })
        .catch((error: unknown) => {
          if (outageOf(error) !== 'disk_full') throw error;
        });
    }
    return known;
  }

  async #one(id: string): Promise<ApiKey> {
    const row = await this.models.apiKeys.findByPk(id);
    if (!row) throw unknownKey(id);
    return row;
  }
}

/** Returns the columns that are derived from a key's text. */
function newRow(key: string) {
  return { id: randomUUID(), prefix: API_KEY_PREFIX, lastFour: key.slice(-4), keyHash: hashSecret(key) };
}

function unknownKey(id: string): Failure {
  return new Failure('not_found', `API key with ID: ${id} not found.`);
}

function toResponse(row: ApiKey): ApiKeyResponse {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last_four: row.lastFour,
    scopes: row.scopes,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    replaced_by: row.replacedBy ?? null,
  };
}
