import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { BackupError } from './failure.js';
import {
  ARCHIVE_FORMAT,
  type BackupKeys,
  ERASURES_ENTRY,
  KEYS_ENTRY,
  MANIFEST_ENTRY,
  type Manifest,
  spoolEntry,
  tableEntry,
} from './manifest.js';
import { openOutputFile, notWritten, type OutputFile } from './output-file.js';
import { type HeldFile, holdSpoolFiles, releaseFiles } from './spool-files.js';
import { type BackedTable, columnList, quoted, serviceTables } from './tables.js';

export interface BackupOptions {
  client: pg.ClientBase;
  keys: BackupKeys;
  spoolDir: string;
  /** True if the connections lead to simulated vendors. */
  isSandbox: boolean;
  /** File to create. Only its owner may read it, because it contains health data and keys. */
  path: string;
  /** Returns the lines of the erasure ledger; called after all rows were read. */
  erasures(): Promise<string>;
  onProgress?(line: string): void;
}

/**
 * Writes a zip file with all tables from one snapshot, the keys, unread uploads and the erasure ledger. The service
 * may run concurrently. The file gets its name only when it is complete and on disk. If writing fails, the connection
 * may be left in an unfinished COPY and is then unusable.
 * @throws BackupError `file_exists`, `not_written`, `database_lost`, `spool_unreadable`
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const path = resolve(options.path);
  const file = await openOutputFile(path).catch((error: unknown) => {
    throw error instanceof BackupError ? error : notWritten(path, error);
  });
  try {
    const manifest = await writeArchive(options, path, file);
    await file.publish();
    return manifest;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function writeArchive(options: BackupOptions, path: string, file: OutputFile): Promise<Manifest> {
  const { client, keys } = options;
  const zip = new ZipFile();
  let failure: BackupError | undefined;
  // The source of an entry failed, not the output file.
  zip.once('error', (error: unknown) => {
    failure ??= databaseLost(error);
    (zip.outputStream as Readable).destroy(failure);
  });
  const written = file.write(zip.outputStream as Readable).catch((error: unknown) => {
    failure ??= notWritten(path, error);
    throw failure;
  });
  written.catch(() => undefined);
  let held: HeldFile[] = [];
  try {
    const snapshot = await startSnapshot(options);
    held = snapshot.held;
    const { manifest } = snapshot;
    zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), MANIFEST_ENTRY);
    zip.addBuffer(Buffer.from(JSON.stringify(keys)), KEYS_ENTRY);
    for (const table of manifest.tables) {
      options.onProgress?.(table.name);
      // Stops waiting if the output file fails, because the table's stream then has no reader and would never end.
      await Promise.race([addTable(zip, client, table), written]);
    }
    await client.query('commit');
    for (const { name, handle } of held) {
      zip.addReadStream(handle.createReadStream({ autoClose: false }), spoolEntry(name));
    }
    zip.addBuffer(Buffer.from(await options.erasures()), ERASURES_ENTRY);
    zip.end();
    await written;
    return manifest;
  } catch (error) {
    const cause = failure ?? error;
    // Skips the rollback after an unread COPY, where it would wait forever. Closing the connection has the same effect.
    if (!failure) await client.query('rollback').catch(() => undefined);
    (zip.outputStream as Readable).destroy();
    await written.catch(() => undefined);
    throw cause;
  } finally {
    await releaseFiles(held);
  }
}

function databaseLost(error: unknown): BackupError {
  return new BackupError(
    'database_lost',
    'Lost the connection to the database during the backup. Nothing was written.',
    error,
  );
}

/**
 * Maximum number of snapshots. An import may end and delete its file before the backup opens it. The backup then needs
 * another snapshot.
 */
const MOST_SNAPSHOTS = 10;

/**
 * Starts a snapshot and opens the spool files that it lists. Omits files that are missing in every snapshot; after a
 * restore, their runs report the missing file.
 */
async function startSnapshot({
  client,
  spoolDir,
  isSandbox,
}: BackupOptions): Promise<{ manifest: Manifest; held: HeldFile[] }> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin isolation level repeatable read read only');
    const manifest = { ...(await describe(client)), is_sandbox: isSandbox };
    const held = await holdSpoolFiles(spoolDir, manifest.spool_files);
    if (held.length === manifest.spool_files.length || attempt >= MOST_SNAPSHOTS) {
      return { manifest: { ...manifest, spool_files: held.map(({ name }) => name) }, held };
    }
    await releaseFiles(held);
    await client.query('rollback');
  }
}

async function describe(client: pg.ClientBase): Promise<Omit<Manifest, 'is_sandbox'>> {
  const migrations = await client.query<{ name: string }>('select name from schema_migration order by name');
  // The database may have an earlier schema without this table.
  const { rows: known } = await client.query<{ deliveries: boolean }>(
    `select to_regclass('webhook_delivery') is not null as deliveries`,
  );
  const deliveries = known[0]?.deliveries
    ? `union all select spool_name, received_at from webhook_delivery where state = 'received'`
    : '';
  const files = await client.query<{ spool_name: string }>(
    `select spool_name from (
       select spool_name, created_at as at from import_file where state = 'received' ${deliveries}
     ) waiting order by at`,
  );
  return {
    format: ARCHIVE_FORMAT,
    created_at: new Date().toISOString(),
    migrations: migrations.rows.map((row) => row.name),
    tables: await serviceTables(client),
    spool_files: files.rows.map((row) => row.spool_name),
  };
}

async function addTable(zip: ZipFile, client: pg.ClientBase, table: BackedTable): Promise<void> {
  const rows = client.query(copyTo(`copy (select ${columnList(table)} from ${quoted(table.name)}) to stdout`));
  // Adds one table at a time, because a connection can run only one COPY.
  await new Promise<void>((done, failed) => {
    rows.once('error', failed);
    rows.once('end', done);
    zip.addReadStream(rows, tableEntry(table.name));
  });
}
