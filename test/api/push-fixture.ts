import type { SyncRun, UploadResponse } from '@healthd/schemas';
import { type Overrides, openGate, SHORT_TIMING, startComposed } from '../support/composed.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { newUser } from '../support/recorded-user.js';

export type PushFixture = Awaited<ReturnType<typeof openPushFixture>>;

/** Starts the service on a real port with a separate database. By default, a queue processes pushes. */
export async function openPushFixture(
  options: {
    role?: 'all' | 'api';
    maxBytes?: number;
    inboxMaxBytes?: number;
    idleSeconds?: number;
    heartbeatMs?: number;
    /** Limits and program of the worker threads that process large batches. */
    decide?: Overrides['decide'];
    /** Simulates a job store that never responds. */
    tryEnqueue?: () => Promise<boolean>;
  } = {},
) {
  const database: TestDatabase = await createTestDatabase({ maxConnections: 12 });
  const service = await startComposed({
    databaseUrl: database.url,
    role: options.role ?? 'all',
    settings: {
      pushMaxBytes: options.maxBytes ?? 20 * 2 ** 20,
      pushInboxMaxBytes: options.inboxMaxBytes ?? 2 ** 30,
      uploadIdleSeconds: options.idleSeconds ?? 10,
      jobConcurrency: 4,
    },
    overrides: {
      authenticate: openGate,
      jobTiming: SHORT_TIMING,
      heartbeatMs: options.heartbeatMs,
      decide: options.decide,
      tryEnqueue: options.tryEnqueue,
    },
  });
  const { url, parts } = service;
  const { pool, runs, queue, writer, push } = parts;
  const { streams } = push;

  const fixture = {
    database,
    parts,
    pool,
    url,
    runs,
    queue,
    streams,
    writer,
    createUser: async () => (await newUser(database)).id,
    /** Sends a body unchanged. */
    async send(userId: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
      const response = await fetch(`${url}/api/v1/sdk/users/${userId}/sync`, {
        method: 'POST',
        body: typeof body === 'string' ? body : Buffer.from(body),
        headers,
      });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: (await response.json()) as UploadResponse,
      };
    },
    /** Sends a payload and returns the ID of its batch. */
    async push(userId: string, payload: object, headers: Record<string, string> = {}): Promise<string> {
      const { status, body } = await fixture.send(userId, JSON.stringify(payload), headers);
      if (status !== 202) throw new Error(`answered with ${status}: ${JSON.stringify(body)}`);
      return String(body.batch_id);
    },
    async read<T>(path: string): Promise<T> {
      return (await (await fetch(url + path)).json()) as T;
    },
    /** Waits for the run's end and returns the run. */
    async ended(runId: string, seconds = 120): Promise<SyncRun> {
      const until = Date.now() + seconds * 1000;
      for (;;) {
        const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
        if (typeof run.ended_at === 'string') return run;
        if (Date.now() > until) throw new Error(`the run stays ${run.stage}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
    /** Pushes a payload and waits until its run ends. */
    pushed: async (userId: string, payload: object) => fixture.ended(await fixture.push(userId, payload)),
    async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
      return (await pool.query<T>(sql, values)).rows;
    },
    async close(): Promise<void> {
      await service.stop();
      await database.drop();
    },
  };
  return fixture;
}
