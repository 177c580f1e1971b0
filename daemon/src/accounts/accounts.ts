import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import type { Vault } from '../vault/index.js';
import { AccessTokens } from './access-tokens.js';
import { ApiKeys } from './api-keys.js';
import { Applications } from './applications.js';
import { CallLimits, type LimitNumbers } from './call-limits.js';
import { type Claim, claim } from './claim.js';
import { DeveloperInvitations } from './developer-invitations.js';
import { Developers } from './developers.js';
import { FirstAccountRows } from './first-account-rows.js';
import { InvitationCodes } from './invitation-codes.js';
import { LoginLocks } from './login-locks.js';
import { accountModels } from './models.js';
import { type RefreshLifetimes, RefreshTokens } from './refresh-tokens.js';
import { Sessions } from './sessions.js';
import { UserTokens } from './user-tokens.js';

export interface AccountsOptions {
  pool: pg.Pool;
  sequelize: Sequelize;
  /** SIGNING_KEY, at least 32 bytes. */
  signingKey: Uint8Array;
  /** Encrypts secrets that must be shown again. */
  vault: Vault;
  /** Lifetime of an access token. Default: 60 minutes. */
  accessTokenMinutes?: number;
  refresh?: Partial<RefreshLifetimes>;
  /** Lifetime in days of a developer's invitation and of a user's invitation code. Default of both: 7. */
  invitationDays?: number;
  codeDays?: number;
  /** Minimum length of a new password. Default: 10. */
  minPasswordLength?: number;
  /** Rate limits. Default: none. */
  limits?: LimitNumbers;
  /** Number of consecutive wrong passwords after which an IP address must wait. Default: 0, which disables waiting. */
  failuresBeforeWait?: number;
}

const REFRESH: RefreshLifetimes = { idleDays: 30, absoluteDays: 180, graceSeconds: 30 };
const EXPIRE_DAYS = 7;
const MIN_PASSWORD_LENGTH = 10;
const UNLIMITED: LimitNumbers = {
  perAddress: { login: 0, token: 0, refresh: 0, redeem: 0, accept: 0, connect: 0 },
  perAccount: { token: 0, refresh: 0 },
};

/** Services for accounts and credentials. */
export interface Accounts {
  developers: Developers;
  invitations: DeveloperInvitations;
  apiKeys: ApiKeys;
  applications: Applications;
  sessions: Sessions;
  userTokens: UserTokens;
  invitationCodes: InvitationCodes;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  limits: CallLimits;
  firstAccountRows: FirstAccountRows;
  /** Claims the named task for this process; undefined if another process holds the claim. */
  claim(name: string): Promise<Claim | undefined>;
  /** Deletes expired credentials. Returns the number of deleted credentials of each type. */
  purge(): Promise<{ refreshTokens: number; codes: number; invitations: number }>;
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { pool, sequelize, signingKey, vault, minPasswordLength = MIN_PASSWORD_LENGTH } = options;
  if (signingKey.byteLength < 32) throw new RangeError('the signing key must have at least 32 bytes');
  const models = accountModels(sequelize);
  const limits = new CallLimits(pool, options.limits ?? UNLIMITED);
  const locks = new LoginLocks(pool, options.failuresBeforeWait ?? 0);
  const accessTokens = new AccessTokens(signingKey, (options.accessTokenMinutes ?? 60) * 60);
  const refreshTokens = new RefreshTokens(pool, signingKey, { ...REFRESH, ...options.refresh });
  const sessions = new Sessions({ models, accessTokens, refreshTokens, locks, limits });
  const expireDays = options.invitationDays ?? EXPIRE_DAYS;
  const invitations = new DeveloperInvitations({ models, vault, expireDays, minPasswordLength });
  const codeDays = options.codeDays ?? EXPIRE_DAYS;
  const invitationCodes = new InvitationCodes({ pool, signingKey, expireDays: codeDays, refreshTokens, sessions });
  const developers = new Developers({ models, refreshTokens, locks, minPasswordLength });
  const apiKeys = new ApiKeys(models);
  return {
    developers,
    invitations,
    apiKeys,
    applications: new Applications(models, refreshTokens),
    sessions,
    userTokens: new UserTokens(sessions, refreshTokens, limits),
    invitationCodes,
    accessTokens,
    refreshTokens,
    limits,
    firstAccountRows: new FirstAccountRows({ models, developers, apiKeys, refreshTokens }),
    claim: (name) => claim(pool, name),
    async purge() {
      await limits.purge();
      await locks.purge();
      return {
        refreshTokens: await refreshTokens.purge(),
        codes: await invitationCodes.purge(),
        invitations: await invitations.purge(),
      };
    },
  };
}
