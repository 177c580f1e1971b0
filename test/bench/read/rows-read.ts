import { setTimeout as sleep } from 'node:timers/promises';
import { termsInForce } from '@healthd/daemon/connections';
import { createApp, readingRoutes, startServer } from '@healthd/daemon/http';
import { createPool } from '@healthd/daemon/platform/database';
import { PriorityStore } from '@healthd/daemon/priorities';
import { AllUserCounts } from '@healthd/daemon/query';
import type pg from 'pg';
import { pino } from 'pino';
import type { StoredUsers } from './stored-users.js';

/** Tables of health data, without accounts and the audit log. */
const TABLES = [
  'sample',
  'day_value',
  'day_minutes',
  'night_value',
  'offset_day',
  'data_source',
  'sleep_session',
  'workout',
  'health_score',
  'menstrual_cycle',
];
/** Time after which every connection, even an idle one, has reported its counts. */
const COUNTS_AFTER_MS = 11_000;

/** Counts the rows that Postgres reads for requests. */
export interface RowCounter {
  /**
   * Returns the number of health-data rows and index entries that one request reads. @param path below
   * `/api/v1/users/{id}/`
   */
  rowsReadFor(userId: string, path: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Serves the same routes in this process on a single connection. Postgres collects statistics by connection and reports
 * them late, but a connection can flush its own statistics.
 */
export async function startRowCounter(databaseUrl: string, { large, others }: StoredUsers): Promise<RowCounter> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  const users = new Map([large, ...others].map((user) => [user.id, user]));
  const app = createApp({
    authenticate: async () => ({ kind: 'public' }),
    findUser: async (id) => users.get(id),
    audit: () => undefined,
    checkAnswers: false,
    bindings: readingRoutes({
      pool,
      priorities: new PriorityStore(pool),
      terms: { current: async () => termsInForce(new Map()) },
      counts: new AllUserCounts(pool),
      coverage: [],
    }),
    log: pino({ level: 'silent' }),
    errorFormat: 'standard',
    trustProxy: false,
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  await sleep(COUNTS_AFTER_MS);
  return {
    async rowsReadFor(userId, path) {
      const before = await rowsRead(pool);
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/users/${userId}/${path}`);
      if (!response.ok) throw new Error(`answered with ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      return (await rowsRead(pool)) - before;
    },
    async stop() {
      await server.close(1);
      await pool.end();
    },
  };
}

async function rowsRead(pool: pg.Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: number }>(
    `select ((select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where relname = any ($1))
       + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where relname = any ($1)))::int8 as read`,
    [TABLES],
  );
  return rows[0]?.read ?? Number.NaN;
}
