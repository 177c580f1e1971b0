import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, importRoutes, runRetryRoutes, syncRoutes } from '@healthd/daemon/http';
import { type ImportSettings, importRetrier, UploadAddresses } from '@healthd/daemon/ingest/files';
import { retriersOf } from '@healthd/daemon/runs';
import type { ImportAccepted, SyncRun } from '@healthd/schemas';
import { pino } from 'pino';
import { noRetrier } from '../support/no-retrier.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { newUser } from '../support/recorded-user.js';
import { importParts } from './import-parts.js';

export type ImportFixture = Awaited<ReturnType<typeof openImportFixture>>;

/** The real app on a real port, a database and a spool of its own, and by default a queue that imports. */
export async function openImportFixture(
  options: {
    role?: 'all' | 'api';
    settings?: Partial<ImportSettings>;
    spoolDir?: string;
    /** Replaces a job store that never answers. */
    tryEnqueue?: () => Promise<boolean>;
  } = {},
) {
  const database: TestDatabase = await createTestDatabase({ maxConnections: 12 });
  const ownFolder = options.spoolDir === undefined ? await mkdtemp(join(tmpdir(), 'healthd-imports-')) : undefined;
  const spoolDir = options.spoolDir ?? join(ownFolder ?? '', 'spool');
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { pool } = database;
  const parts = await importParts({
    pool,
    databaseUrl: database.url,
    spoolDir,
    role: options.role ?? 'all',
    log: { debug: () => {}, info: () => {}, warn: log.warn.bind(log), error: log.error.bind(log) },
    ...(options.settings && { settings: options.settings }),
  });
  await parts.queue.start();
  const imports = options.tryEnqueue ? { tryEnqueue: options.tryEnqueue } : parts.imports;
  const findUser = async (id: string) => {
    const { rows } = await pool.query<{ userKey: number }>(
      'select user_key as "userKey" from health_user where id = $1',
      [id],
    );
    return rows[0] && { id, userKey: rows[0].userKey };
  };
  const addresses = new UploadAddresses(new Uint8Array(32).fill(7), 'http://localhost:8000');
  const app = createApp({
    bindings: [
      ...importRoutes({ ...parts, imports, findUser, addresses }),
      ...syncRoutes({ pool }),
      ...runRetryRoutes({
        ...parts,
        retriers: retriersOf({
          importFile: importRetrier({ ...parts, imports }),
          pull: noRetrier,
          deviceBatch: noRetrier,
        }),
      }),
    ],
    log,
    errorFormat: 'standard',
    trustProxy: false,
    checkAnswers: true,
    audit: () => {},
    authenticate: async () => ({ kind: 'api_key', keyId: 'test', scopes: undefined }),
    findUser,
  });
  // A test that computes for seconds must not find its connection closed when it goes on.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 120_000 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const fixture = {
    ...parts,
    database,
    pool,
    url,
    port,
    spoolDir,
    pathOf: (userId: string) => `/api/v1/users/${userId}/import/apple/xml/direct`,
    createUser: async () => (await newUser(database)).id,
    /** Sends a file as existing clients do. */
    async upload(
      userId: string,
      content: Buffer | string,
      { filename = 'export.xml', query = '' } = {},
    ): Promise<ImportAccepted> {
      const form = new FormData();
      form.set('file', new Blob([content]), filename);
      const answer = await fetch(`${url}${fixture.pathOf(userId)}${query}`, { method: 'POST', body: form });
      if (answer.status !== 200) throw new Error(`upload was answered with ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as ImportAccepted;
    },
    async read<T>(path: string): Promise<T> {
      return (await (await fetch(url + path)).json()) as T;
    },
    /** The run once it has ended. */
    async ended(runId: string, seconds = 120): Promise<SyncRun> {
      const until = Date.now() + seconds * 1000;
      for (;;) {
        const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
        if (run.ended_at !== null) return run;
        if (Date.now() > until) throw new Error(`the run stays ${run.stage}`);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    },
    spooled: () => readdir(spoolDir),
    async count(table: string): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
      return rows[0]?.count ?? 0;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await parts.queue.stop(1);
      await database.drop();
      if (ownFolder) await rm(ownFolder, { recursive: true, force: true });
    },
  };
  return fixture;
}

/** Waits until `check` holds, and fails with its own error when it never does. */
export async function eventually(check: () => void | Promise<void>, seconds = 120): Promise<void> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
