import type { DashboardStats } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { KeptAnswers } from '../../platform/kept-answers.js';
import { connectionCounts } from './connection-counts.js';

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

/** Users and events are counted each time; samples are summed from days, and kept for a while where counting takes long. */
export function createDashboard(pool: pg.Pool): Dashboard {
  const counts = new KeptAnswers<SampleCounts>();
  const samples = () =>
    counts.get('samples', async () => {
      const { rows } = await pool.query<SampleCounts>(countSamples([]));
      return rows[0] ?? { count: 0, archived: 0 };
    });
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
