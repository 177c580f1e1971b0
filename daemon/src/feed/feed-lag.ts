import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Maximum number of entries to count. */
const MAX_COUNT = 100_000;

/** Committed entries that have no ordinal yet, so that readers do not see them. */
export interface FeedLag {
  isOn: boolean;
  waiting: number;
  oldestWaitingSince: Date | null;
  lagSeconds: number;
}

export async function readFeedLag(pool: pg.Pool): Promise<FeedLag> {
  const { rows } = await pool.query<{ is_on: boolean; waiting: number; oldest: Date | null; lag: number }>(
    `select is_on, oldest, coalesce(extract(epoch from clock_timestamp() - oldest), 0)::float8 as lag,
            (select count(*) from (select from change where ordinal is null limit ${MAX_COUNT}) counted) as waiting
       from feed_state cross join (select min(at) as oldest from change where ordinal is null) first`,
  );
  const { is_on, waiting, oldest, lag } = rows[0] as (typeof rows)[number];
  return { isOn: is_on, waiting, oldestWaitingSince: oldest, lagSeconds: Math.max(0, lag) };
}

/** Reports the lag on every scrape. Reports no values while the database is unavailable. */
export function watchFeed(registry: Registry, pool: pg.Pool): void {
  let reading: Promise<FeedLag | undefined> | undefined;
  // The gauges of a scrape share one reading: the registry calls all gauges before it awaits the first value.
  const read = () => {
    reading ??= readFeedLag(pool)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauge = (name: string, help: string, figureOf: (lag: FeedLag) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const lag = await read();
        if (lag) this.set(figureOf(lag));
        else this.remove();
      },
    });
  gauge(
    'healthd_feed_waiting_entries',
    'Committed changes that readers of the feed do not see yet',
    ({ waiting }) => waiting,
  );
  gauge(
    'healthd_feed_lag_seconds',
    'Age of the oldest committed change that readers of the feed do not see yet',
    ({ lagSeconds }) => lagSeconds,
  );
}
