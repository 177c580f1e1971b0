import type pg from 'pg';
import { expect } from 'vitest';
import type { Phone } from './push-load.js';

/** Fails unless each batch of a phone is stored as one workout and one night. */
export async function expectSessionsOnce(
  pool: pg.Pool,
  { userId, made }: Pick<Phone, 'userId' | 'made'>,
): Promise<void> {
  for (const table of ['workout', 'sleep_session']) {
    const { rows } = await pool.query(
      `select count(*)::int as n, count(distinct external_id)::int as ids from ${table}
        where user_key = (select user_key from health_user where id = $1)`,
      [userId],
    );
    expect({ table, ...rows[0] }).toEqual({ table, n: made, ids: made });
  }
}

/** Fails unless each acknowledged batch has one run with one start and one successful end. */
export async function expectRunsOnce(pool: pg.Pool, accepted: readonly string[]): Promise<void> {
  const runs = await pool.query<{ status: string; n: number; queued: number; ended: number }>(
    `select r.status, count(*)::int as n, min(e.queued)::int as queued, max(e.ended)::int as ended
       from sync_run r
       cross join lateral (select count(*) filter (where event ->> 'stage' = 'queued') as queued,
                                  count(*) filter (where event ->> 'stage' in ('completed', 'failed')) as ended
                             from sync_event e where e.run_id = r.run_id) e
      where r.run_id = any ($1) group by r.status`,
    [accepted],
  );
  expect(runs.rows).toEqual([{ status: 'success', n: new Set(accepted).size, queued: 1, ended: 1 }]);
}

/** Returns the number of different stored batches of a phone, by their workouts. */
export async function storedBatches(pool: pg.Pool, userId: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(distinct external_id)::int as n from workout
      where user_key = (select user_key from health_user where id = $1)`,
    [userId],
  );
  return rows[0]?.n ?? 0;
}
