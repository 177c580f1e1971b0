import type { DataVolume } from '@healthd/schemas';
import type pg from 'pg';
import type { AllUserCounts } from './all-user-counts.js';

/**
 * Reads roll-ups of days, so that the cost grows with days instead of samples. Parameters: user id or null, provider or
 * null.
 */
const VOLUME = `
with chosen as (select user_key from health_user where $1::uuid is null or id = $1),
stored_day as (
  select user_key, sum(v.sample_count + v.total_count + v.aggregate_count) as samples
    from chosen
    join data_source s using (user_key)
    join day_value v using (user_key, source_id)
   where $2::text is null or s.provider = $2
   group by user_key, v.local_date
), stored_user as (
  select count(*) as days, sum(samples) as samples from stored_day group by user_key
)
select (select count(*)::int4 from connection c join chosen using (user_key)
        where c.status = 'active' and ($2::text is null or c.provider = $2)) as active_connections,
       count(*)::int4 as users, coalesce(sum(days), 0)::int8 as days, coalesce(sum(samples), 0)::int8 as samples
  from stored_user`;

/**
 * Returns the amount of stored data of a user, of a provider, of both, or of all users. @throws Failure `unavailable` if
 * counting takes too long
 */
export async function readDataVolume(
  { pool, counts }: { pool: pg.Pool; counts: AllUserCounts },
  { userId, provider }: { userId?: string | undefined; provider?: string | undefined },
): Promise<DataVolume> {
  const values = [userId ?? null, provider ?? null];
  const row =
    userId === undefined
      ? await counts.row<DataVolume>(VOLUME, values)
      : (await pool.query<DataVolume>(VOLUME, values)).rows[0];
  return row ?? { active_connections: 0, users: 0, days: 0, samples: 0 };
}
