import { createPool, createSequelize } from '../../platform/database/index.js';
import { composeAccounts } from '../compose-accounts.js';
import { hasSealedValues } from '../key-check.js';
import { loadKeys } from '../keys.js';
import { environment } from '../settings/environment.js';
import { readSettings } from '../settings/settings.js';
import { openExistingDatabase, rejectWithoutInstallation } from './existing-database.js';

/**
 * `healthd admin reset-password <email>`: sets a new random password, shown once, and ends all sessions of the account.
 */
export async function resetPassword(email: string): Promise<void> {
  const settings = readSettings(environment());
  rejectWithoutInstallation(settings);
  const database = await openExistingDatabase(settings);
  const pool = createPool({ url: database.url, max: 2 });
  const sequelize = createSequelize({ url: database.url, max: 1 });
  try {
    const keys = await loadKeys(settings, () => hasSealedValues(database.url));
    const accounts = composeAccounts({ settings, keys, pool, sequelize });
    const { email: address, password } = await accounts.developers.resetPassword(email);
    console.log(`New password of ${address}: ${password}`);
  } finally {
    await sequelize.close();
    await pool.end();
    await database.close();
  }
}
