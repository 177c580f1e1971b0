import type { DashboardStats } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { ResultCache } from '../../platform/result-cache.js';

const TOP = 6;

const countConnections = statement(
  'dashboard_connections',
  `select (select count(*) from connection where status = 'active') as active,
     (select count(distinct user_key) from connection where status = 'active') as users,
     (select count(*) from (select 1 from connection where status = 'active'
                             group by user_key having count(*) > 1) several) as several,
     (select coalesce(json_agg(top), '[]') from (
        select provider, count(*)::int as count from connection where status = 'active'
         group by provider order by count desc, provider limit ${TOP}) top) as top`,
);

/** Counts active connections, their users, and the connections of the top providers. */
async function connectionCounts(pool: pg.Pool): Promise<Pick<DashboardStats, 'active_conn' | 'connections_coverage'>> {
  const { rows } = await pool.query<{
    active: number;
    users: number;
    several: number;
    top: DashboardStats['connections_coverage']['top_providers'];
  }>(countConnections([]));
  const { active = 0, users = 0, several = 0, top = [] } = rows[0] ?? {};
  return {
    active_conn: { count: active },
    connections_coverage: { users_with_active: users, users_with_multi_active: several, top_providers: top },
  };
}

/** Numbers of samples. Archived samples exist only as part of daily figures and are counted separately. */
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

/** Amount of stored data of the whole service. */
export interface Dashboard {
  stats(): Promise<DashboardStats>;
}

/** Counts users and events on each call. Sums samples from daily counts, and caches the sum if it takes long. */
export function createDashboard(pool: pg.Pool): Dashboard {
  const counts = new ResultCache<SampleCounts>();
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
