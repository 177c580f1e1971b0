import { existsSync } from 'node:fs';
import pg from 'pg';
import { BackupError, type BackupKeys, restoreBackup, writeBackup } from '../backup/index.js';
import { connectionSettings, openDatabase } from '../database/index.js';
import { keepRestoredKeys, loadKeys } from '../keys.js';
import { readSettings, type Settings } from '../settings.js';
import { openExistingDatabase, refuseWithoutInstallation } from './existing-database.js';

/** `healthd backup <file>`: beside a running service or without one. */
export async function backup(file: string): Promise<void> {
  const settings = readSettings(process.env);
  refuseWithoutInstallation(settings);
  const keys = await loadKeys(settings);
  const database = await openExistingDatabase(settings);
  const client = new pg.Client(connectionSettings({ url: database.url, applicationName: 'healthd backup' }));
  try {
    await client.connect();
    const told = (table: string) => console.error(`  ${table}`);
    const manifest = await writeBackup({
      client,
      keys: backupKeys(keys),
      spoolDir: settings.spoolDir,
      path: file,
      onProgress: told,
    });
    console.log(`Backed up ${manifest.tables.length} tables to ${file}. It holds health data and keys: keep it safe.`);
  } finally {
    await client.end();
    await database.close();
  }
}

/** `healthd restore <file>`: into an empty data directory, or into the empty database in DATABASE_URL. */
export async function restore(file: string): Promise<void> {
  if (!existsSync(file)) throw new BackupError('not_a_backup', `${file} does not exist.`);
  const settings = readSettings(withPlaceholderKeys(process.env));
  const database = await openDatabase(settings, { onProgress: (line) => console.error(line) });
  try {
    const { url } = database;
    const told = (table: string) => console.error(`  ${table}`);
    const { manifest, keys } = await restoreBackup({ path: file, url, spoolDir: settings.spoolDir, onProgress: told });
    console.log(`Restored the backup of ${manifest.created_at}.`);
    await handOverKeys(settings, keys);
  } finally {
    await database.close();
  }
}

async function handOverKeys(settings: Settings, keys: BackupKeys): Promise<void> {
  if (settings.databaseUrl === undefined) {
    await keepRestoredKeys(settings.dataDir, keys);
    console.log('Its keys are in the data directory. Start with: npm start');
    return;
  }
  console.log('Start the service with the keys of the backup:');
  for (const [name, value] of Object.entries(keys)) console.log(`${name}=${value}`);
}

/** The keys come out of the backup, so a restore must not ask for them. */
function withPlaceholderKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const unused = 'x'.repeat(43);
  return { ...env, SECRET_KEY: unused, ENCRYPTION_KEY: 'A'.repeat(43), SIGNING_KEY: unused };
}

function backupKeys(keys: Awaited<ReturnType<typeof loadKeys>>): BackupKeys {
  return {
    SECRET_KEY: keys.secretKey,
    ENCRYPTION_KEY: keys.encryptionKeys.map((key) => Buffer.from(key).toString('base64url')).join(','),
    SIGNING_KEY: Buffer.from(keys.signingKey).toString('utf8'),
  };
}
