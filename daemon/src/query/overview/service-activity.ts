import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type { ServiceActivity } from '@healthd/schemas';
import type pg from 'pg';
import { ResultCache } from '../../platform/result-cache.js';

const SAMPLES = `
select local_date::text as date, sum(sample_count + total_count + aggregate_count)::int8 as samples,
  count(distinct user_key)::int4 as users
from day_value where local_date >= $1 and local_date <= $2 group by 1`;

const RUNS = `
select (created_at at time zone 'UTC')::date::text as date, status, count(*)::int4 as runs
from sync_run where created_at >= $1::date at time zone 'UTC' group by 1, 2`;

const NOTIFICATIONS = `
select provider, coalesce(sum(notifications) filter (where outcome = 'accepted'), 0)::int8 as accepted,
  coalesce(sum(notifications) filter (where outcome = 'unmatched'), 0)::int8 as unmatched,
  coalesce(sum(notifications) filter (where outcome = 'unhandled'), 0)::int8 as unhandled,
  coalesce(sum(notifications) filter (where outcome = 'refused'), 0)::int8 as refused,
  coalesce(sum(notifications) filter (where outcome = 'badly_signed'), 0)::int8 as badly_signed
from notification_count where day >= $1 group by provider order by provider`;

interface DayCount {
  date: string;
  samples: number;
  users: number;
}

interface RunCount {
  date: string;
  status: string;
  runs: number;
}

/** Activity of the whole service by day. Concurrent callers share slow counts, and the result is cached. */
export class ServiceActivityCounts {
  readonly #kept = new ResultCache<ServiceActivity>();

  constructor(private readonly pool: pg.Pool) {}

  /** @param days number of days up to today in UTC */
  read(days: number, nowMs: number): Promise<ServiceActivity> {
    const today = Math.floor(nowMs / MS_PER_DAY);
    return this.#kept.get(`${today} ${days}`, () => this.#read(today - days + 1, today));
  }

  async #read(firstDay: number, lastDay: number): Promise<ServiceActivity> {
    const [first, last] = [fromDayNumber(firstDay), fromDayNumber(lastDay)];
    const [samples, runs, notifications] = await Promise.all([
      this.pool.query<DayCount>(SAMPLES, [first, last]),
      this.pool.query<RunCount>(RUNS, [first]),
      this.pool.query<ServiceActivity['notifications'][number]>(NOTIFICATIONS, [first]),
    ]);
    const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => fromDayNumber(firstDay + index));
    return {
      days: days.map((date) => {
        const counted = samples.rows.find((row) => row.date === date);
        const ofDay = runs.rows.filter((row) => row.date === date);
        const count = (isCounted: (status: string) => boolean) =>
          ofDay.reduce((sum, row) => sum + (isCounted(row.status) ? row.runs : 0), 0);
        return {
          date,
          samples: counted?.samples ?? 0,
          active_users: counted?.users ?? 0,
          runs: count(() => true),
          failed_runs: count((status) => status === 'failed'),
        };
      }),
      notifications: notifications.rows,
    };
  }
}
