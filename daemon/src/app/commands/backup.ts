import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { BackupError, type BackupKeys, checkTarget, restoreBackup, writeBackup } from '../../backup/index.js';
import { createPool, openDatabase, withClient } from '../../platform/database/index.js';
import { openSpool } from '../../platform/spool/index.js';
import {
  applyPendingErasures,
  completeLedger,
  type ErasureEntry,
  ErasureLedger,
  ledgerText,
  parseLedger,
  readErasures,
} from '../../users/index.js';
import { defaultDataDirectory } from '../data-directory.js';
import { eraseUserData } from '../erase-user-data.js';
import { hasSealedValues } from '../key-check.js';
import { loadKeys, storeRestoredKeys } from '../keys.js';
import { environment } from '../settings/environment.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { openExistingDatabase, rejectWithoutInstallation } from './existing-database.js';
import { isMarkedSandbox, restoreSandboxMark } from './sandbox.js';
import { shellWord } from './shell-word.js';

/** `healthd backup <file>`: works with or without a running service. */
export async function backup(file: string): Promise<void> {
  const settings = readSettings(environment());
  rejectWithoutInstallation(settings);
  await checkTarget(file);
  const database = await openExistingDatabase(settings, { command: 'backup' });
  const ledger = ErasureLedger.of(settings.dataDir);
  try {
    const keys = await loadKeys(settings, () => hasSealedValues(database.url));
    const manifest = await withClient({ url: database.url, applicationName: 'healthd backup' }, (client) =>
      writeBackup({
        client,
        keys: backupKeys(keys),
        spoolDir: settings.spoolDir,
        isSandbox: isMarkedSandbox(settings),
        path: file,
        erasures: async () => ledgerText([...(await ledger.entries()), ...(await readErasures(client))]),
        onProgress: (table) => console.error(`  ${table}`),
      }),
    );
    console.log(
      `Backed up ${manifest.tables.length} tables to ${file}. It contains health data and keys: store it safely.`,
    );
  } finally {
    await database.close();
  }
}

/**
 * `healthd restore <file>`: restores into an empty data directory, or into the empty database in DATABASE_URL. Repeats
 * all erasures since the backup was written. Their entries are in the ledgers of the data directory, the backup and the
 * command line.
 */
export async function restore(file: string, { erasures }: { erasures?: string }): Promise<void> {
  if (!existsSync(file)) throw new BackupError('not_a_backup', `${file} does not exist.`);
  const argumentErasures = erasures === undefined ? [] : await erasuresFromArgument(erasures);
  const settings = readSettings(withPlaceholderKeys(environment()));
  const database = await openDatabase(settings, { onProgress: (line) => console.error(line) });
  try {
    const { url } = database;
    const showTable = (table: string) => console.error(`  ${table}`);
    const ledger = ErasureLedger.of(settings.dataDir);
    const known = [...(await ledger.entries()), ...argumentErasures];
    const { spoolDir } = settings;
    const options = { path: file, url, spoolDir, erasures: known, onProgress: showTable };
    const { manifest, keys } = await restoreBackup(options);
    console.log(`Restored the backup of ${manifest.created_at}.`);
    await eraseAgain(url, settings, ledger);
    if (settings.databaseUrl === undefined) await restoreSandboxMark(settings, manifest.is_sandbox);
    await handOverKeys(settings, keys);
  } finally {
    await database.close();
  }
}

/** @throws BackupError `not_a_backup` for a missing file or a file that is not a ledger */
async function erasuresFromArgument(path: string): Promise<ErasureEntry[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new BackupError('not_a_backup', `Cannot read the erasure ledger ${path}.`, error);
  });
  const entries = parseLedger(text);
  if (entries.length > 0 || text.trim() === '') return entries;
  throw new BackupError('not_a_backup', `${path} is not an erasure ledger.`);
}

async function eraseAgain(url: string, settings: Settings, ledger: ErasureLedger): Promise<void> {
  const pool = createPool({ url, max: 2 });
  try {
    const spool = await openSpool(settings.spoolDir, 'import');
    const { erased, spoolNames } = await applyPendingErasures(pool, eraseUserData);
    for (const name of spoolNames) await spool.remove(name);
    await completeLedger(pool, ledger);
    if (erased > 0)
      console.log(
        `Erased ${erased} ${erased === 1 ? 'user' : 'users'} again, because the backup is older than their erasure.`,
      );
  } finally {
    await pool.end();
  }
}

async function handOverKeys(settings: Settings, keys: BackupKeys): Promise<void> {
  if (settings.databaseUrl === undefined) {
    await storeRestoredKeys(settings.dataDir, keys);
    console.log(`The restored keys are in the data directory. Start the service with: ${startCommand(settings)}`);
    return;
  }
  console.log('Start the service with the keys of the backup:');
  for (const [name, value] of Object.entries(keys)) console.log(`${name}=${value}`);
}

/** Returns the command that starts the service on the restored data, with SANDBOX and DATA_DIR if necessary. */
function startCommand(settings: Settings): string {
  const { dataDir } = settings;
  const isDefault = dataDir === defaultDataDirectory(environment());
  return [
    ...(isMarkedSandbox(settings) ? ['SANDBOX=true'] : []),
    ...(isDefault ? [] : [`DATA_DIR=${shellWord(dataDir)}`]),
    'npm start',
  ].join(' ');
}

/** Replaces the keys by placeholders. The real keys are in the backup, so a restore must not require them. */
function withPlaceholderKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const unused = 'x'.repeat(43);
  const keys = { SECRET_KEY: unused, ENCRYPTION_KEY: 'A'.repeat(43), SIGNING_KEY: unused };
  const files = { SECRET_KEY_FILE: undefined, ENCRYPTION_KEY_FILE: undefined, SIGNING_KEY_FILE: undefined };
  return { ...env, ...keys, ...files };
}

function backupKeys(keys: Awaited<ReturnType<typeof loadKeys>>): BackupKeys {
  return {
    SECRET_KEY: keys.secretKey,
    ENCRYPTION_KEY: keys.encryptionKeys.map((key) => Buffer.from(key).toString('base64url')).join(','),
    SIGNING_KEY: Buffer.from(keys.signingKey).toString('utf8'),
  };
}
