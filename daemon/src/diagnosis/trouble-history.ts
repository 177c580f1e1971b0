import { MS_PER_DAY, MS_PER_HOUR, SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { defineJob, type JobDefinition, RETRY_NEVER } from '../platform/jobs/index.js';

/** Length of a trend, and the interval between its points. */
const TREND_DAYS = 7;
const STEP_HOURS = 6;
const MAX_DURATION_SECONDS = 600;

/** Number of connections by provider and cause. */
type Counts = Readonly<Record<string, number>>;

interface Snapshot {
  at: Date;
  connections: Counts;
}

/** Number of a group's connections at one time. */
export interface TrendPoint {
  at: Date;
  connections: number;
}

/** Provider, cause and size of a group. */
interface Group {
  provider: { id: string };
  cause: string;
  connections: number;
}

const keyOf = ({ provider, cause }: Pick<Group, 'provider' | 'cause'>) => `${provider.id} ${cause}`;

/** Stores each group's number of connections once an hour. If two processes store the same hour, the first one wins. */
export async function recordTrouble(pool: pg.Pool, at: Date, groups: readonly Group[]): Promise<void> {
  const hour = new Date(Math.floor(at.getTime() / MS_PER_HOUR) * MS_PER_HOUR);
  const counts: Counts = Object.fromEntries(groups.map((group) => [keyOf(group), group.connections]));
  await pool.query('insert into trouble_snapshot (at, connections) values ($1, $2) on conflict do nothing', [
    hour,
    JSON.stringify(counts),
  ]);
}

/**
 * Reads each group's trend over the last week, oldest first. A group that did not exist at a point has no connections
 * there.
 */
export async function readTrends(
  pool: pg.Pool,
  at: Date,
): Promise<(group: Pick<Group, 'provider' | 'cause'>) => TrendPoint[]> {
  const { rows } = await pool.query<Snapshot>(
    `select distinct on (step) at, connections
     from trouble_snapshot, date_bin('${STEP_HOURS} hours', at, timestamptz '2000-01-01 00:00:00Z') as step
     where at > $1 and at <= $2 order by step, at desc`,
    [new Date(at.getTime() - TREND_DAYS * MS_PER_DAY), at],
  );
  return (group) => rows.map((row) => ({ at: row.at, connections: row.connections[keyOf(group)] ?? 0 }));
}

/** Records problems every hour and deletes records that are older than the trend. */
export function troubleHistoryJob(services: {
  pool: pg.Pool;
  all(): Promise<{ at: Date; groups: readonly Group[] }>;
}): JobDefinition<object> {
  return defineJob({
    name: 'record-trouble',
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    everySeconds: SECONDS_PER_HOUR,
    async run() {
      const { at, groups } = await services.all();
      await recordTrouble(services.pool, at, groups);
      const oldest = new Date(at.getTime() - (TREND_DAYS + 1) * MS_PER_DAY);
      await services.pool.query('delete from trouble_snapshot where at < $1', [oldest]);
    },
  });
}
