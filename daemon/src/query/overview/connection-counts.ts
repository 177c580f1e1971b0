import type { DashboardStats } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';

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

/** Connections in use: how many, of how many users, to which providers. */
export async function connectionCounts(
  pool: pg.Pool,
): Promise<Pick<DashboardStats, 'active_conn' | 'connections_coverage'>> {
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
