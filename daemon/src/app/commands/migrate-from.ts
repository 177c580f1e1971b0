import { PROVIDERS } from '@healthd/providers';
import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import { countKnownKeys } from '../../accounts/index.js';
import { recordIfOn } from '../../feed/index.js';
import {
  type ExistingCounts,
  figure,
  type MigrationProgress,
  migrateFrom,
  openSourceDatabase,
  parseSourceAddress,
  readApiKeys,
  readUsers,
  reportLines,
  requireSourceShape,
  type SourceDatabase,
  surveyLines,
  surveySource,
} from '../../open-wearables/index.js';
import { createPool, createSequelize, pendingMigrations } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { type ErasureEntry, ErasureLedger, erasedAmong, readErasures } from '../../users/index.js';
import { createVault } from '../../vault/index.js';
import { hasSealedValues, requireEncryptionKey } from '../key-check.js';
import { type Keys, loadKeys } from '../keys.js';
import { composeRecordWriter } from '../record-writer.js';
import { environment } from '../settings/environment.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { openExistingDatabase, rejectWithoutInstallation } from './existing-database.js';
import { shellWord } from './shell-word.js';

const PROGRESS_SECONDS = 10;

/**
 * `healthd migrate-from <address>`: reports the contents of an Open Wearables database and, with `yes`, copies them.
 * Works with or without a running service. Never writes to the source.
 */
export async function migrateFromOpenWearables(address: string, { yes = false }: { yes?: boolean }): Promise<void> {
  const parsed = parseSourceAddress(address);
  const settings = readSettings(environment());
  rejectWithoutInstallation(settings);
  const source = await openSourceDatabase(parsed);
  try {
    await requireSourceShape(source);
    const database = await openExistingDatabase(settings);
    const applicationName = 'healthd migrate-from';
    const pool = createPool({ url: database.url, max: 3, applicationName });
    const sequelize = createSequelize({ url: database.url, max: 1, applicationName });
    try {
      await requireCurrentSchema(pool);
      const erasures = [...(await ErasureLedger.of(settings.dataDir).entries()), ...(await readErasures(pool))];
      console.log(`Open Wearables at ${source.shown}`);
      const here = await countExisting(source, { pool, sequelize }, erasures);
      const hasAdapter = (provider: string) => PROVIDERS.some(({ id }) => id === provider);
      for (const line of surveyLines(await surveySource(source), here, hasAdapter)) console.log(line);
      if (yes) {
        const keys = await loadKeys(settings, () => hasSealedValues(database.url));
        await copy(source, { pool, sequelize }, { settings, keys, erasures });
      } else {
        console.log(`Nothing was changed. To copy: healthd migrate-from ${shellWord(source.shown)} --yes`);
      }
    } finally {
      await sequelize.close();
      await pool.end();
      await database.close();
    }
  } finally {
    await source.close();
  }
}

async function copy(
  source: SourceDatabase,
  { pool, sequelize }: { pool: pg.Pool; sequelize: Sequelize },
  { settings, keys, erasures }: { settings: Settings; keys: Keys; erasures: readonly ErasureEntry[] },
): Promise<void> {
  await requireEncryptionKey(pool, keys.encryptionKeys);
  recordIfOn(pool);
  const report = await migrateFrom({
    source,
    pool,
    sequelize,
    erasures,
    onProgress: progressReporter(),
    writer: composeRecordWriter(pool, settings),
    vault: createVault(keys.encryptionKeys),
  });
  console.log('Copied.');
  for (const line of reportLines(report)) console.log(`  ${line}`);
}

/** Writes the progress to stderr from time to time. */
function progressReporter(): (progress: MigrationProgress) => void {
  let nextAt = Date.now() + PROGRESS_SECONDS * 1000;
  return ({ usersDone, items }) => {
    if (Date.now() < nextAt) return;
    nextAt = Date.now() + PROGRESS_SECONDS * 1000;
    console.error(`  ${figure(usersDone)} users done, ${figure(items)} items read`);
  };
}

/** @throws Failure `conflict`: a command must not change the schema of a running service */
async function requireCurrentSchema(pool: pg.Pool): Promise<void> {
  if ((await pendingMigrations(pool)).length === 0) return;
  throw new Failure(
    'conflict',
    'The database schema is older than this version. Start the service once to migrate it, then repeat the command.',
  );
}

async function countExisting(
  source: SourceDatabase,
  { pool, sequelize }: { pool: pg.Pool; sequelize: Sequelize },
  erasures: readonly ErasureEntry[],
): Promise<ExistingCounts> {
  const here = { users: 0, erased: 0 };
  for await (const user of readUsers(source)) {
    const { rows } = await pool.query('select 1 from health_user where id = $1', [user.id]);
    here.users += rows.length;
    here.erased += erasedAmong([user], erasures).length;
  }
  const { keys } = await readApiKeys(source);
  return { ...here, apiKeys: await countKnownKeys(sequelize, keys) };
}
