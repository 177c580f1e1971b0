import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipBytes } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { newUser } from '../../../test/support/recorded-user.js';
import { zipEntries } from '../../../test/support/zip-entries.js';
import { type BackupOptions, checkTarget, restoreBackup, writeBackup } from './index.js';

const KEYS = { SECRET_KEY: 'secret', ENCRYPTION_KEY: 'encryption', SIGNING_KEY: 'signing' };
const LEDGER = `{"erased_at":"2026-03-20T08:00:00.000Z","key":"${'k'.repeat(43)}","hash":"${'h'.repeat(43)}"}\n`;

const folder = mkdtempSync(join(tmpdir(), 'healthd-backup-'));
const spoolDir = join(folder, 'spool');
const backup = join(folder, 'good.healthd');
let original: TestDatabase;
let entries: Map<string, string>;
let manifest: { tables: { name: string }[]; spool_files: string[]; migrations: string[] };
let number = 0;

beforeAll(async () => {
  original = await createTestDatabase({ maxConnections: 4 });
  for (let count = 0; count < 3; count++) await newUser(original);
  mkdirSync(spoolDir);
  writeFileSync(join(spoolDir, 'waiting'), 'delivered');
  for (const name of ['waiting', 'lost']) {
    await original.pool.query(
      `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, state)
       values (gen_random_uuid(), 'garmin', $1, 9, '', 'received')`,
      [name],
    );
  }
  await write({ path: backup });
  entries = await zipEntries(readFileSync(backup));
  manifest = JSON.parse(entries.get('manifest.json') ?? '');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await original.drop();
});

async function write(options: Partial<BackupOptions> & { path: string }): Promise<void> {
  const client = await original.pool.connect();
  let error: Error | undefined;
  // A lost connection also emits an error event, which would throw without a listener.
  client.on('error', () => {});
  try {
    await writeBackup({ client, keys: KEYS, spoolDir, isSandbox: false, erasures: async () => LEDGER, ...options });
  } catch (failure) {
    error = failure as Error;
    throw failure;
  } finally {
    client.release(error);
  }
}

/** Writes a copy of the valid archive with changed or removed entries. */
async function forged(changes: Record<string, string | undefined>): Promise<string> {
  const all = Object.entries({ ...Object.fromEntries(entries), ...changes });
  const chunks: Buffer[] = [];
  for await (const chunk of zipBytes(
    all.flatMap(([name, content]) => (content === undefined ? [] : [{ name, content: Buffer.from(content) }])),
  )) {
    chunks.push(Buffer.from(chunk));
  }
  const path = newPath();
  writeFileSync(path, Buffer.concat(chunks));
  return path;
}

const newPath = () => join(folder, `file-${++number}.healthd`);
const withManifest = (changes: object) => forged({ 'manifest.json': JSON.stringify({ ...manifest, ...changes }) });

/** Restores a file into an empty database, and checks that a failed restore leaves no users. */
async function restored(
  path: string,
  check: (database: TestDatabase, spool: string) => Promise<void> = async () => {},
) {
  const database = await createTestDatabase({ maxConnections: 2 });
  const spool = join(folder, `spool-${++number}`);
  try {
    const result = await restoreBackup({ path, url: database.url, spoolDir: spool, erasures: [] }).catch(
      async (error: unknown) => {
        const { rows } = await database.pool.query('select from health_user');
        expect(rows).toEqual([]);
        throw error;
      },
    );
    await check(database, spool);
    return result;
  } finally {
    await database.drop();
  }
}

describe('a written backup', () => {
  it('contains keys, ledger and every table that a restore does not create', async () => {
    const { rows } = await original.pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'agenda\\_%'
          and tablename not in (select inhrelid::regclass::text from pg_inherits)`,
    );
    const expected = rows.map(({ name }) => name).filter((name) => !/^(schema_migration|pending_erasure)$/.test(name));
    expect(manifest.tables.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
    for (const { name } of manifest.tables) expect(entries.has(`tables/${name}.copy`), name).toBe(true);
    expect(JSON.parse(entries.get('keys.json') ?? '')).toEqual(KEYS);
    expect(entries.get('erasures.jsonl')).toBe(LEDGER);
  });

  it('lists each referenced table before the tables that refer to it', async () => {
    const { rows } = await original.pool.query<{ from: string; to: string }>(
      `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
        where contype = 'f' and conrelid <> confrelid and conparentid = 0`,
    );
    const order = manifest.tables.map(({ name }) => name);
    const references = rows.filter(({ from, to }) => order.includes(from) && order.includes(to));
    expect(references.length).toBeGreaterThan(10);
    for (const { from, to } of references)
      expect(order.indexOf(to), `${to} < ${from}`).toBeLessThan(order.indexOf(from));
  });

  it('omits a spool file that does not exist', async () => {
    const path = newPath();
    await write({ path });
    const written = await zipEntries(readFileSync(path));
    expect(JSON.parse(written.get('manifest.json') ?? '')).toMatchObject({ format: 1, spool_files: ['waiting'] });
    expect(written.get('spool/waiting')).toBe('delivered');
    expect(written.has('spool/lost')).toBe(false);
    expect(written.get('tables/health_user.copy')?.trimEnd().split('\n')).toHaveLength(3);
  });

  it('is readable only by its owner', async () => {
    const path = newPath();
    await write({ path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('reports its progress for each table', async () => {
    const lines: string[] = [];
    await write({ path: newPath(), onProgress: (line) => lines.push(line) });
    expect(lines).toEqual(manifest.tables.map(({ name }) => name));
  });
});

describe('writing a backup', () => {
  async function expectFailure(path: string, code: string, options: Partial<BackupOptions> = {}): Promise<void> {
    const before = readdirSync(folder);
    await expect(write({ path, ...options })).rejects.toMatchObject({ code });
    expect(readdirSync(folder)).toEqual(before);
    // The connections of the pool are still usable.
    await original.pool.query('select 1');
  }

  it('never overwrites an existing file or symbolic link', async () => {
    const [file, link] = [newPath(), newPath()];
    writeFileSync(file, 'precious');
    symlinkSync(join(folder, 'nothing'), link);
    for (const path of [file, link]) {
      await expectFailure(path, 'file_exists');
      await expect(checkTarget(path)).rejects.toMatchObject({ code: 'file_exists' });
    }
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });

  it('never overwrites a file that appears during the backup', async () => {
    const path = newPath();
    const onProgress = () => writeFileSync(path, 'precious');
    await expect(write({ path, onProgress })).rejects.toMatchObject({ code: 'file_exists' });
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([
    ['a missing folder', join(folder, 'nowhere/x.healthd'), 'ENOENT'],
    ['a path below a file', join(backup, 'x.healthd'), 'ENOTDIR'],
  ])('fails for %s', async (_, path, reason) => {
    await expect(checkTarget(path)).rejects.toMatchObject({
      code: 'not_written',
      message: expect.stringContaining(reason),
    });
    await expectFailure(path, 'not_written');
  });

  it('fails if a spool file is a link or a folder', async () => {
    const place = join(folder, 'odd-spool');
    mkdirSync(place);
    symlinkSync(backup, join(place, 'waiting'));
    const client = await original.pool.connect();
    await expectFailure(newPath(), 'spool_unreadable', { spoolDir: place, client });
    const { rows } = await client.query('show transaction_isolation');
    expect(rows, 'no transaction is left open').toEqual([{ transaction_isolation: 'read committed' }]);
    client.release();
    rmSync(join(place, 'waiting'));
    mkdirSync(join(place, 'waiting'));
    await expectFailure(newPath(), 'spool_unreadable', { spoolDir: place });
  });

  it('leaves no file if the database ends the connection', async () => {
    const client = await original.pool.connect();
    client.on('error', () => {});
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const path = newPath();
    let tables = 0;
    const written = writeBackup({
      client,
      keys: KEYS,
      spoolDir,
      isSandbox: false,
      path,
      erasures: async () => '',
      onProgress: () => {
        if (++tables === 3) void original.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      },
    });
    await expect(written).rejects.toThrow();
    client.release(true);
    expect(readdirSync(folder).filter((name) => name.startsWith(path.slice(folder.length + 1)))).toEqual([]);
  });

  it('fails if the ledger cannot be read', async () => {
    const path = newPath();
    const erasures = () => Promise.reject(new Error('unreadable'));
    await expect(write({ path, erasures })).rejects.toThrow('unreadable');
    expect(existsSync(path)).toBe(false);
  });
});

describe('a restore', () => {
  it('recreates rows, keys, spool files and erasures', async () => {
    const outside = { erasedAt: '2026-03-20T08:00:00.000Z', key: 'o'.repeat(43), hash: 'g'.repeat(43) };
    const database = await createTestDatabase({ maxConnections: 2 });
    const spool = join(folder, 'deep/spool');
    const lines: string[] = [];
    try {
      const { keys } = await restoreBackup({
        path: backup,
        url: database.url,
        spoolDir: spool,
        erasures: [outside],
        onProgress: (line) => lines.push(line),
      });
      expect(keys).toEqual(KEYS);
      expect(lines).toEqual(manifest.tables.map(({ name }) => name));
      const users = 'select id, user_key from health_user order by user_key';
      expect((await database.pool.query(users)).rows).toEqual((await original.pool.query(users)).rows);
      const { rows } = await database.pool.query<{ key: string }>('select key from pending_erasure order by key');
      expect(rows.map(({ key }) => key)).toEqual(['k'.repeat(43), 'o'.repeat(43)]);
      expect(readFileSync(join(spool, 'waiting'), 'utf8')).toBe('delivered');
      expect(statSync(join(spool, 'waiting')).mode & 0o777).toBe(0o600);
      const { userKey } = await newUser(database);
      const { rows: last } = await original.pool.query('select max(user_key) as last from health_user');
      expect(userKey).toBe(Number(last[0].last) + 1);
    } finally {
      await database.drop();
    }
  });

  it('invalidates feed cursors even if the restore is interrupted', async () => {
    const database = await createTestDatabase({ maxConnections: 2 });
    // A file in place of the spool directory interrupts the restore after the rows are stored.
    const spoolDir = join(folder, 'interrupted-spool');
    writeFileSync(spoolDir, '');
    try {
      await expect(restoreBackup({ path: backup, url: database.url, spoolDir, erasures: [] })).rejects.toThrow();
      expect((await database.pool.query('select from health_user')).rowCount).toBe(3);
      const epoch = 'select epoch from feed_state';
      const { rows } = await database.pool.query(epoch);
      expect(rows).not.toEqual((await original.pool.query(epoch)).rows);
    } finally {
      await database.drop();
    }
  });

  it("replaces a symbolic link that has a spool file's name", async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    const database = await createTestDatabase({ maxConnections: 2 });
    const spool = join(folder, 'linked-spool');
    mkdirSync(spool);
    symlinkSync(victim, join(spool, 'waiting'));
    try {
      await restoreBackup({ path: backup, url: database.url, spoolDir: spool, erasures: [] });
      expect(readFileSync(victim, 'utf8')).toBe('precious');
      expect(lstatSync(join(spool, 'waiting')).isFile()).toBe(true);
    } finally {
      await database.drop();
    }
  });

  it('accepts an older backup without a ledger and without spool files', async () => {
    const path = await forged({
      'erasures.jsonl': undefined,
      'manifest.json': JSON.stringify({ ...manifest, spool_files: [], is_sandbox: undefined }),
    });
    const { manifest: read } = await restored(path, async (database, spool) => {
      expect((await database.pool.query('select from pending_erasure')).rows).toEqual([]);
      expect(existsSync(spool)).toBe(false);
    });
    expect(read.is_sandbox).toBe(false);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['another file', async () => join(spoolDir, 'waiting'), 'not_a_backup'],
    ['another archive', () => forged({ 'manifest.json': undefined }), 'not_a_backup'],
    ['an archive without keys', () => forged({ 'keys.json': undefined }), 'not_a_backup'],
    ['an archive with an invalid manifest', () => forged({ 'manifest.json': '{"format":1}' }), 'not_a_backup'],
    ['another format', () => withManifest({ format: 2 }), 'not_a_backup'],
    [
      'a newer schema',
      () => withManifest({ migrations: [...manifest.migrations, '9999-01-01_01_later'] }),
      'newer_backup',
    ],
    ['a missing table', () => forged({ 'tables/health_user.copy': undefined }), 'damaged'],
    ['unreadable rows', () => forged({ 'tables/health_user.copy': 'odd\n' }), 'damaged'],
    ['a missing spool file', () => forged({ 'spool/waiting': undefined }), 'damaged'],
    ['a path outside the spool', () => withManifest({ spool_files: ['../waiting'] }), 'damaged'],
  ])('rejects %s', async (_, make, code) => {
    await expect(restored(await make())).rejects.toMatchObject({ code });
  });

  it('rejects rows that cannot be unpacked', async () => {
    const bytes = readFileSync(backup);
    const name = 'tables/health_user.copy';
    // The data follows the name in the entry's header.
    const at = bytes.indexOf(name) + name.length + 4;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    const path = newPath();
    writeFileSync(path, bytes);
    await expect(restored(path)).rejects.toMatchObject({ code: 'damaged' });
  });

  it('reports an unknown column as a database error', async () => {
    const tables = manifest.tables.map((table) =>
      table.name === 'health_user' ? { ...table, columns: ['unknown'] } : table,
    );
    await expect(restored(await withManifest({ tables }))).rejects.toMatchObject({ code: '42703' });
  });

  it.each(['developer', 'health_user'])('rejects a database with a row in %s', async (table) => {
    const database = await createTestDatabase({ maxConnections: 2 });
    try {
      if (table === 'health_user') await newUser(database);
      else {
        await database.pool.query(
          `insert into developer (id, email, login_name, password_hash) values (gen_random_uuid(), 'a', 'a', 'x')`,
        );
      }
      const restore = restoreBackup({
        path: backup,
        url: database.url,
        spoolDir: join(folder, 'unused'),
        erasures: [],
      });
      await expect(restore).rejects.toMatchObject({ code: 'target_in_use' });
      expect((await database.pool.query(`select from ${table}`)).rows).toHaveLength(1);
      expect(existsSync(join(folder, 'unused'))).toBe(false);
    } finally {
      await database.drop();
    }
  });
});
