import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { BackupError } from './failure.js';
import {
  ARCHIVE_FORMAT,
  type BackupKeys,
  KEYS_ENTRY,
  MANIFEST_ENTRY,
  type Manifest,
  spoolEntry,
  tableEntry,
} from './manifest.js';
import { type BackedTable, columnList, quoted, serviceTables } from './tables.js';

export interface BackupOptions {
  client: pg.ClientBase;
  keys: BackupKeys;
  spoolDir: string;
  /** File to write; it must not exist. Readable by its owner only: it holds health data and keys. */
  path: string;
  onProgress?(line: string): void;
}

/**
 * Writes everything to one zip file: all tables as of one instant, the keys, and uploads not read yet. The service may
 * run meanwhile. The file appears under its name only when it is whole and on disk. When the file cannot be written,
 * a COPY may be left in the middle of the connection, which is then of no further use.
 * @throws BackupError `file_exists`, `not_written`
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { client, keys, spoolDir } = options;
  const path = resolve(options.path);
  await refuseExisting(path);
  const draft = `${path}.part`;
  const zip = new ZipFile();
  let failure: BackupError | undefined;
  const written = pipeline(zip.outputStream, createWriteStream(draft, { mode: 0o600 })).catch((error: unknown) => {
    failure = notWritten(path, error);
    throw failure;
  });
  written.catch(() => undefined);
  try {
    await client.query('begin isolation level repeatable read read only');
    const manifest = await describe(client);
    zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), MANIFEST_ENTRY);
    zip.addBuffer(Buffer.from(JSON.stringify(keys)), KEYS_ENTRY);
    for (const table of manifest.tables) {
      options.onProgress?.(table.name);
      // Once the file has failed nobody reads the rows any more, and they never end.
      await Promise.race([addTable(zip, client, table), written]);
    }
    for (const name of manifest.spool_files) zip.addFile(join(spoolDir, name), spoolEntry(name));
    zip.end();
    await written;
    await client.query('commit');
    await syncToDisk(draft);
    await rename(draft, path);
    await syncToDisk(dirname(path));
    return manifest;
  } catch (error) {
    // Behind a COPY that nobody reads a rollback would wait for ever; the end of the connection does the same.
    if (!failure) await client.query('rollback').catch(() => undefined);
    await rm(draft, { force: true }).catch(() => undefined);
    throw failure ?? error;
  }
}

async function refuseExisting(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (!handle) return;
  await handle.close();
  throw new BackupError('file_exists', `${path} exists already. Choose another name: a backup is never overwritten.`);
}

function notWritten(path: string, error: unknown): BackupError {
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new BackupError('not_written', `${path} cannot be written${reason}. Is there such a folder, and room?`, error);
}

async function describe(client: pg.ClientBase): Promise<Manifest> {
  const migrations = await client.query<{ name: string }>('select name from schema_migration order by name');
  const files = await client.query<{ spool_name: string }>(
    "select spool_name from import_file where state = 'received' order by created_at",
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
  // One at a time: the connection can carry one COPY only.
  await new Promise<void>((done, failed) => {
    rows.once('error', failed);
    rows.once('end', done);
    zip.addReadStream(rows, tableEntry(table.name));
  });
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
