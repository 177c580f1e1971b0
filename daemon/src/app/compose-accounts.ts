import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import { type Accounts, createAccounts } from '../accounts/index.js';
import { createVault } from '../vault/index.js';
import type { Keys } from './keys.js';
import type { Overrides } from './overrides.js';
import type { Settings } from './settings/settings.js';

/** Creates the accounts from the settings: lifetimes, limits, keys. */
export function composeAccounts(options: {
  settings: Settings;
  keys: Keys;
  pool: pg.Pool;
  sequelize: Sequelize;
  overrides?: Pick<Overrides, 'refreshGraceSeconds'>;
}): Accounts {
  const { settings, keys, pool, sequelize, overrides } = options;
  return createAccounts({
    pool,
    sequelize,
    signingKey: keys.signingKey,
    vault: createVault(keys.encryptionKeys),
    accessTokenMinutes: settings.accessTokenExpireMinutes,
    refresh: {
      idleDays: settings.refreshTokenIdleDays,
      absoluteDays: settings.refreshTokenAbsoluteDays,
      ...(overrides?.refreshGraceSeconds !== undefined && { graceSeconds: overrides.refreshGraceSeconds }),
    },
    invitationDays: settings.invitationExpireDays,
    codeDays: settings.userInvitationCodeExpireDays,
    minPasswordLength: settings.minPasswordLength,
    failuresBeforeWait: settings.loginFailuresBeforeWait,
    limits: {
      perAddress: {
        login: settings.loginLimitPerAddress,
        token: settings.tokenLimitPerAddress,
        refresh: settings.refreshLimitPerAddress,
        redeem: settings.redeemLimitPerAddress,
        accept: settings.acceptLimitPerAddress,
        connect: settings.connectLimitPerAddress,
      },
      perAccount: { token: settings.tokenLimitPerApplication, refresh: settings.refreshLimitPerSession },
    },
  });
}
