import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import { AccessTokens } from './access-tokens.js';
import { ApiKeys } from './api-keys.js';
import { Developers } from './developers.js';
import { accountModels } from './models.js';
import { type RefreshLifetimes, RefreshTokens } from './refresh-tokens.js';
import { Sessions } from './sessions.js';

export interface AccountsOptions {
  pool: pg.Pool;
  sequelize: Sequelize;
  /** SIGNING_KEY, at least 32 bytes. */
  signingKey: Uint8Array;
  /** Life of an access token; 60 minutes unless said otherwise. */
  accessTokenMinutes?: number;
  refresh?: Partial<RefreshLifetimes>;
}

const REFRESH: RefreshLifetimes = { idleDays: 30, absoluteDays: 180, graceSeconds: 30 };

/** Everything about who may use the service. */
export interface Accounts {
  developers: Developers;
  apiKeys: ApiKeys;
  sessions: Sessions;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  /** Runs `work` while no other process runs work of this name. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { pool, sequelize, signingKey } = options;
  if (signingKey.byteLength < 32) throw new RangeError('the signing key must have at least 32 bytes');
  const models = accountModels(sequelize);
  const accessTokens = new AccessTokens(signingKey, (options.accessTokenMinutes ?? 60) * 60);
  const refreshTokens = new RefreshTokens(pool, signingKey, { ...REFRESH, ...options.refresh });
  return {
    developers: new Developers(models, refreshTokens),
    apiKeys: new ApiKeys(pool, models),
    sessions: new Sessions(pool, models, accessTokens, refreshTokens),
    accessTokens,
    refreshTokens,
    alone: (name, work) => alone(pool, name, work),
  };
}

async function alone<T>(pool: pg.Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`healthd/${name}`]);
    return await work();
  } finally {
    const failed = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failed);
  }
}
