import { readdir } from 'node:fs/promises';
import type { ImportSettings } from '@healthd/daemon/ingest/files';
import type { Settings } from '@healthd/daemon/settings';
import type { ImportAccepted, SyncRun } from '@healthd/schemas';
import { openGate, SHORT_TIMING, startComposed } from '../support/composed.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { newUser } from '../support/recorded-user.js';

export type ImportFixture = Awaited<ReturnType<typeof openImportFixture>>;

/** Starts the service on a real port with a separate database and spool. By default, a queue runs imports. */
export async function openImportFixture(
  options: {
    role?: 'all' | 'api';
    settings?: Partial<ImportSettings>;
    spoolDir?: string;
    /** Simulates a job store that never responds. */
    tryEnqueue?: () => Promise<boolean>;
  } = {},
) {
  const database: TestDatabase = await createTestDatabase({ maxConnections: 12 });
  const service = await startComposed({
    databaseUrl: database.url,
    role: options.role ?? 'all',
    env: options.spoolDir === undefined ? {} : { SPOOL_DIR: options.spoolDir },
    settings: { jobConcurrency: 4, ...importSettings(options.settings) },
    overrides: { authenticate: openGate, jobTiming: SHORT_TIMING, tryEnqueue: options.tryEnqueue },
  });
  const { url, port, parts } = service;
  const { pool, imports, users, runs, writer, queue } = parts;
  const { spoolDir } = service.settings;

  const fixture = {
    ...imports,
    users,
    runs,
    writer,
    queue,
    audit: service.audit,
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
      const response = await fetch(`${url}${fixture.pathOf(userId)}${query}`, { method: 'POST', body: form });
      if (response.status !== 200)
        throw new Error(`upload was answered with ${response.status}: ${await response.text()}`);
      return (await response.json()) as ImportAccepted;
    },
    async read<T>(path: string): Promise<T> {
      return (await (await fetch(url + path)).json()) as T;
    },
    /** Waits for the run's end and returns the run. */
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
      await service.stop();
      await database.drop();
    },
  };
  return fixture;
}

function importSettings(changes: Partial<ImportSettings> = {}): Partial<Settings> {
  const set = {
    importMaxBytes: changes.maxUploadBytes,
    importMaxUnpackedBytes: changes.maxUnpackedBytes,
    importMaxRatio: changes.maxRatio,
    uploadIdleSeconds: changes.idleSeconds,
    failedUploadRetentionDays: changes.keepFailedDays,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

/** Waits until `check` passes. Throws its last error after `seconds`. */
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
