import { composeAccounts } from '../compose-accounts.js';
import { createPool, createSequelize, openDatabase, runningEmbeddedUrl } from '../database/index.js';
import { loadKeys } from '../keys.js';
import { readSettings } from '../settings.js';

/** `healthd admin reset-password <email>`: a new random password, shown once; all sessions of the account end. */
export async function resetPassword(email: string): Promise<void> {
  const settings = readSettings(process.env);
  const keys = await loadKeys(settings);
  const running = settings.databaseUrl ?? (await runningEmbeddedUrl(settings.dataDir));
  const database =
    running === undefined ? await openDatabase(settings) : { url: running, close: async () => undefined };
  const pool = createPool({ url: database.url, max: 2 });
  const sequelize = createSequelize({ url: database.url, max: 1 });
  try {
    const accounts = composeAccounts({ settings, keys, pool, sequelize });
    const { email: address, password } = await accounts.developers.resetPassword(email);
    console.log(`New password of ${address}: ${password}`);
  } finally {
    await sequelize.close();
    await pool.end();
    await database.close();
  }
}
