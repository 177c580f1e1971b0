import {
  createApp,
  readingRoutes,
  runRetryRoutes,
  sdkRoutes,
  startServer,
  syncRoutes,
  syncStreamRoutes,
} from '@healthd/daemon/http';
import { batchRetrier, InboxCapacity, inboxCleaning, pushJob, pushSweeper } from '@healthd/daemon/ingest/push';
import { createJobQueue, type JobQueueOptions } from '@healthd/daemon/platform/jobs';
import { cleaningJob } from '@healthd/daemon/retention';
import { createSyncNotifier, createSyncRuns, retriersOf, SyncStreams } from '@healthd/daemon/runs';
import { PushReader } from '@healthd/providers';
import type { SyncRun, UploadResponse } from '@healthd/schemas';
import { pino } from 'pino';
import { noRetrier } from '../support/no-retrier.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { newUser, recordWriter } from '../support/recorded-user.js';

export type PushFixture = Awaited<ReturnType<typeof openPushFixture>>;

/** The real app on a real port over a database of its own, and by default a queue that processes. */
export async function openPushFixture(
  options: {
    role?: JobQueueOptions['role'];
    maxBytes?: number;
    inboxMaxBytes?: number;
    heartbeatMs?: number;
    /** Replaces a job store that never answers. */
    tryEnqueue?: () => Promise<boolean>;
  } = {},
) {
  const database: TestDatabase = await createTestDatabase({ maxConnections: 12 });
  const { pool, url: databaseUrl } = database;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const runs = createSyncRuns(pool, createSyncNotifier(pool));
  const writer = recordWriter({ pool });
  const queue = createJobQueue({
    pool,
    connectionString: databaseUrl,
    concurrency: 4,
    log,
    role: options.role ?? 'all',
    timing: { lockMs: 2000, pollMs: 200, sweepMs: 200 },
  });
  const reader = new PushReader();
  const maxBytes = options.maxBytes ?? 20 * 2 ** 20;
  const services = { pool, runs, writer, reader, maxBytes };
  const pushes = queue.define(pushJob(services));
  queue.define(cleaningJob(inboxCleaning({ pool, keepDays: 7 })));
  queue.sweep(pushSweeper({ pool }));
  await queue.start();
  const streams = new SyncStreams({ pool, url: databaseUrl, heartbeatMs: options.heartbeatMs });
  const room = new InboxCapacity(pool, options.inboxMaxBytes ?? 2 ** 30);
  const app = createApp({
    bindings: [
      ...sdkRoutes({
        pool,
        runs,
        room,
        pushes: options.tryEnqueue ? { tryEnqueue: options.tryEnqueue } : pushes,
        limits: { maxBytes, idleSeconds: 10 },
      }),
      ...syncRoutes({ pool }),
      ...runRetryRoutes({
        pool,
        runs,
        retriers: retriersOf({
          deviceBatch: batchRetrier({ pool, runs, pushes }),
          pull: noRetrier,
          importFile: noRetrier,
        }),
      }),
      ...syncStreamRoutes({ streams }),
      ...readingRoutes({ pool, coverage: [] }),
    ],
    log,
    errorFormat: 'standard',
    trustProxy: false,
    checkAnswers: true,
    audit: () => {},
    authenticate: async () => ({ kind: 'api_key', keyId: 'test', scopes: undefined }),
    findUser: async (id) => {
      const found = await pool.query<{ userKey: number }>(
        'select user_key as "userKey" from health_user where id = $1',
        [id],
      );
      return found.rows[0] && { id, userKey: found.rows[0].userKey };
    },
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${server.port}`;

  const fixture = {
    database,
    pool,
    url,
    runs,
    queue,
    streams,
    writer,
    createUser: async () => (await newUser(database)).id,
    /** Sends a body as it is. */
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
    /** Sends a payload and returns the id of its batch. */
    async push(userId: string, payload: object, headers: Record<string, string> = {}): Promise<string> {
      const { status, body } = await fixture.send(userId, JSON.stringify(payload), headers);
      if (status !== 202) throw new Error(`answered with ${status}: ${JSON.stringify(body)}`);
      return String(body.batch_id);
    },
    async read<T>(path: string): Promise<T> {
      return (await (await fetch(url + path)).json()) as T;
    },
    /** The run once it has ended. */
    async ended(runId: string, seconds = 120): Promise<SyncRun> {
      const until = Date.now() + seconds * 1000;
      for (;;) {
        const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
        if (typeof run.ended_at === 'string') return run;
        if (Date.now() > until) throw new Error(`the run stays ${run.stage}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
    /** Pushes a payload and waits for its end. */
    pushed: async (userId: string, payload: object) => fixture.ended(await fixture.push(userId, payload)),
    async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
      return (await pool.query<T>(sql, values)).rows;
    },
    async close(): Promise<void> {
      await streams.close();
      await server.close(2);
      await queue.stop(1);
      reader.close();
      await database.drop();
    },
  };
  return fixture;
}
