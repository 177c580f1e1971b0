import { setTimeout as sleep } from 'node:timers/promises';
import { termsInForce } from '@healthd/daemon/connections';
import { createApp, readingRoutes, startServer } from '@healthd/daemon/http';
import { createPool } from '@healthd/daemon/platform/database';
import { PriorityStore } from '@healthd/daemon/priorities';
import { AllUserCounts } from '@healthd/daemon/query';
import type pg from 'pg';
import { pino } from 'pino';
import type { StoredUsers } from './stored-users.js';

/** Tables of health data; accounts and the audit trail are left out. */
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
/** By then every connection has handed in what it counted, however idle it is. */
const COUNTS_AFTER_MS = 11_000;

/** Counts what Postgres reads for requests. */
export interface RowCounter {
  /** Rows and index entries of health data read for one request. @param path below `/api/v1/users/{id}/` */
  rowsReadFor(userId: string, path: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Serves the same routes in this process on a single connection, because Postgres keeps its statistics by connection
 * and hands them in late: of a connection of ours they can be requested together.
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
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/users/${userId}/${path}`);
      if (!answer.ok) throw new Error(`answered with ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
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
