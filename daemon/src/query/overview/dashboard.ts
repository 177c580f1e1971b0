import type { DashboardStats } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { connectionCounts } from './connection-counts.js';

/** Sample counts are cached for this many times as long as counting took, so that counting takes little of the time. */
const CACHED_TIMES = 50;
const LONGEST_CACHED_MS = 300_000;

/** Counts of samples; those that are archived are no more than part of their day's figures. */
interface SampleCounts {
  count: number;
  archived: number;
}

const countSamples = statement(
  'dashboard_samples',
  `select counted.points - gone.archived as count, gone.archived
   from (select coalesce(sum(sample_count + total_count + aggregate_count), 0)::int8 as points from day_value) counted,
     (select coalesce(sum(sample_count), 0)::int8 as archived from day_archive) gone`,
);

const countRecords = statement(
  'dashboard_records',
  `select (select count(*) from health_user) as users, (select count(*) from workout) as workouts,
     (select count(*) from sleep_session) as sleep, (select count(*) from menstrual_cycle) as cycles`,
);

/** How much the whole service holds. */
export interface Dashboard {
  stats(): Promise<DashboardStats>;
}

/** Users and events are counted each time; samples are summed from days, and cached for a while where counting takes long. */
export function createDashboard(pool: pg.Pool): Dashboard {
  let kept: { until: number; count: Promise<SampleCounts> } | undefined;

  function samples(): Promise<SampleCounts> {
    const started = performance.now();
    if (kept && started < kept.until) return kept.count;
    const count = pool.query<SampleCounts>(countSamples([])).then(({ rows }) => rows[0] ?? { count: 0, archived: 0 });
    const entry = { until: Number.POSITIVE_INFINITY, count };
    kept = entry;
    count.then(
      () => {
        const now = performance.now();
        entry.until = now + Math.min(LONGEST_CACHED_MS, (now - started) * CACHED_TIMES);
      },
      () => {
        kept = undefined;
      },
    );
    return count;
  }

  return {
    async stats() {
      const [points, connections, { rows }] = await Promise.all([
        samples(),
        connectionCounts(pool),
        pool.query<{ users: number; workouts: number; sleep: number; cycles: number }>(countRecords([])),
      ]);
      const { users = 0, workouts = 0, sleep = 0, cycles = 0 } = rows[0] ?? {};
      return {
        total_users: { count: users },
        active_conn: connections.active_conn,
        data_points: { count: points.count, archived: points.archived },
        event_records: { count: workouts + sleep + cycles, workouts, sleep, menstrual_cycles: cycles },
        connections_coverage: connections.connections_coverage,
      };
    },
  };
}
