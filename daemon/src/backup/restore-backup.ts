import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { beginEpoch } from '../feed/index.js';
import { migrate, migrationsTo, withClient } from '../platform/database/index.js';
import { type ErasureEntry, parseLedger, storePendingErasures } from '../users/index.js';
import { Archive } from './archive.js';
import { BackupError } from './failure.js';
import {
  type BackupKeys,
  ERASURES_ENTRY,
  KEYS_ENTRY,
  keysSchema,
  MANIFEST_ENTRY,
  type Manifest,
  manifestSchema,
  spoolEntry,
  tableEntry,
} from './manifest.js';
import { columnList, quoted } from './tables.js';

export interface RestoreOptions {
  path: string;
  /** URL of a database that contains no data of the service. */
  url: string;
  spoolDir: string;
  /** Erasures from the ledgers outside the backup. */
  erasures: readonly ErasureEntry[];
  onProgress?(line: string): void;
}

/**
 * Restores a backup into an empty database in one transaction, all or nothing. First migrates the schema to the
 * backup's state, then to the current state. The data may contain users who were erased after the backup. The same
 * transaction therefore stores the pending erasures, and the caller applies them before any read
 * (`applyPendingErasures`).
 * @returns the keys of the data; the caller stores them
 * @throws BackupError `not_a_backup`, `newer_backup`, `target_in_use`, `damaged`
 * @throws SchemaTooOldError
 */
export async function restoreBackup(options: RestoreOptions): Promise<{ manifest: Manifest; keys: BackupKeys }> {
  const archive = await Archive.open(options.path);
  try {
    const manifest = await archive.json(MANIFEST_ENTRY, manifestSchema);
    const keys = await archive.json(KEYS_ENTRY, keysSchema);
    const steps = migrationsTo(manifest.migrations);
    if (steps === undefined) {
      throw new BackupError('newer_backup', 'The backup was made by a newer healthd. Restore it with that version.');
    }
    rejectBadSpoolFiles(archive, manifest);
    await rejectNonEmptyDatabase(options.url);
    await migrate(options.url, steps);
    const erasures = [...options.erasures, ...parseLedger(await archive.text(ERASURES_ENTRY))];
    await fill(archive, manifest, { ...options, erasures });
    await restoreSpool(archive, manifest, options.spoolDir);
    await migrate(options.url);
    // Starts a new epoch, because applications may have read changes that are newer than the backup.
    await connected(options.url, beginEpoch);
    return { manifest, keys };
  } finally {
    archive.close();
  }
}

/** Checks the spool files before any row is stored, because a failed restore must leave the database empty. */
function rejectBadSpoolFiles(archive: Archive, manifest: Manifest): void {
  for (const name of manifest.spool_files) {
    // Rejects paths: names come from the archive, and only plain file names may be used on disk.
    if (name !== basename(name))
      throw new BackupError('damaged', 'The backup is invalid: it contains a path outside the spool directory.');
    archive.entry(spoolEntry(name));
  }
}

async function rejectNonEmptyDatabase(url: string): Promise<void> {
  await connected(url, async (client) => {
    for (const table of ['developer', 'health_user']) {
      const { rows } = await client.query<{ present: boolean }>('select to_regclass($1) is not null as present', [
        table,
      ]);
      if (!rows[0]?.present) continue;
      const found = await client.query(`select from ${table} limit 1`);
      if (found.rowCount) {
        throw new BackupError(
          'target_in_use',
          'The database already contains data. Restore into an empty one: another DATA_DIR, or another database in DATABASE_URL.',
        );
      }
    }
  });
}

async function fill(archive: Archive, manifest: Manifest, options: RestoreOptions): Promise<void> {
  await connected(options.url, async (client) => {
    await client.query('begin');
    // Prevents events for restored rows.
    await client.query(`set local healthd.restoring = 'on'`);
    await client.query(`truncate ${manifest.tables.map(({ name }) => quoted(name)).join(', ')}`);
    for (const table of manifest.tables) {
      options.onProgress?.(table.name);
      const rows = await archive.stream(tableEntry(table.name));
      const copy = copyFrom(`copy ${quoted(table.name)} (${columnList(table)}) from stdin`);
      await pipeline(rows, client.query(copy)).catch((error: unknown) => {
        throw isCausedByRows(error) ? unreadable(table.name, error) : error;
      });
    }
    await advanceIdentities(client);
    await storePendingErasures(client, options.erasures);
    await invalidateCursors(client);
    await client.query('commit');
    await client.query('analyze');
  });
}

/**
 * Invalidates the feed's cursors in the transaction that restores the data. If the restore is interrupted before
 * `beginEpoch`, the service can still be started. A backup of an older version has no feed.
 */
async function invalidateCursors(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ present: boolean }>(`select to_regclass('feed_state') is not null as present`);
  if (rows[0]?.present) await client.query('update feed_state set epoch = gen_random_uuid()');
}

/**
 * True if the backup itself caused the error. Unpacking errors have no SQLSTATE; classes 22 and 23 mean that a table
 * rejected a row. All other errors are database errors.
 */
function isCausedByRows(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || /^2[23]/.test(code);
}

function unreadable(name: string, cause: unknown): BackupError {
  return new BackupError('damaged', `The backup is damaged: its ${name} cannot be read. Nothing was restored.`, cause);
}

/** Moves each identity sequence above the restored values. */
async function advanceIdentities(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES' and table_name not like 'agenda\\_%'`);
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce((select max(${quoted(column)}) from ${quoted(table)}), 0) + 1, false)`,
      [quoted(table), column],
    );
  }
}

async function restoreSpool(archive: Archive, manifest: Manifest, spoolDir: string): Promise<void> {
  if (manifest.spool_files.length === 0) return;
  await mkdir(spoolDir, { recursive: true, mode: 0o700 });
  for (const name of manifest.spool_files) {
    const path = join(spoolDir, name);
    // Removes a file of an interrupted restore, or a symbolic link, whose target must not be overwritten.
    await rm(path, { force: true });
    await pipeline(await archive.stream(spoolEntry(name)), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const handle = await open(path, 'r');
    await handle.sync().finally(() => handle.close());
  }
}

function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ url, applicationName: 'healthd restore' }, work);
}
