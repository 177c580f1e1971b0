import type pg from 'pg';
import { inTransaction, lockUser } from '../../platform/database/index.js';

/** Source of one figure group of a night. */
interface NightSource {
  /** Local wake date. */
  date: string;
  group: string;
  sourceId: number;
}

interface NightSources {
  sources: NightSource[];
  /** How the summary counts each session. */
  sessions: { id: string; date: string; isNap: boolean }[];
}

/** Returns the sources of all nights in an inclusive range of dates. */
export type ReadNightSources = (firstDate: string, lastDate: string) => Promise<NightSources>;

/**
 * SQL that is true if archiving excludes a session `s` from its source's night. A nap that another source recorded as a
 * night belongs to the night.
 */
export const IS_ARCHIVED_AS_NAP = 'coalesce(s.counted_as_nap, s.is_nap)';

/**
 * SQL for the date under which the archived readings of a session `s` are stored. Two sleeps of a source may end on one
 * date but count on two dates, because another source's copy moves one of them.
 */
export const ARCHIVED_DATE = 'coalesce(s.summary_date, s.wake_date)';

/** Number of nights whose sources are read together. */
const NIGHTS_PER_READ = 100;

/**
 * Stores the sources of nights whose samples are about to be archived, and how the summary counts each session. Keeps
 * already stored sources, so only dates with new sessions are read.
 * @param lastDate local wake date; samples of the evening before are archived too
 */
export async function keepNightSources(
  pool: pg.Pool,
  userKey: number,
  { lastDate, read, signal }: { lastDate: string; read: ReadNightSources; signal: AbortSignal | undefined },
): Promise<void> {
  const { rows } = await pool.query<{ date: string }>(
    `select distinct wake_date as date from sleep_session
      where user_key = $1 and wake_date <= $2::date and summary_date is null order by 1`,
    [userKey, lastDate],
  );
  for (let at = 0; at < rows.length; at += NIGHTS_PER_READ) {
    signal?.throwIfAborted();
    const dates = rows.slice(at, at + NIGHTS_PER_READ).map(({ date }) => date);
    const requested = new Set(dates);
    const nights = await read(dates[0] as string, dates.at(-1) as string);
    const sources = nights.sources.filter(({ date }) => requested.has(date));
    await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      // Skips sources that were deleted concurrently, because nights cannot reference them.
      await client.query(
        `insert into night_source (user_key, wake_date, figure_group, source_id)
         select $1, kept.* from unnest($2::date[], $3::text[], $4::int4[]) as kept(wake_date, figure_group, source_id)
           join data_source s on s.user_key = $1 and s.source_id = kept.source_id
         on conflict do nothing`,
        [
          userKey,
          sources.map(({ date }) => date),
          sources.map(({ group }) => group),
          sources.map(({ sourceId }) => sourceId),
        ],
      );
      await client.query(
        `update sleep_session s
            set summary_date = counted.date, counted_as_nap = coalesce(s.counted_as_nap, counted.is_nap)
           from unnest($3::uuid[], $4::date[], $5::boolean[]) as counted (id, date, is_nap)
          where s.user_key = $1 and s.wake_date = any ($2::date[]) and s.id = counted.id and s.summary_date is null`,
        [
          userKey,
          dates,
          nights.sessions.map(({ id }) => id),
          nights.sessions.map(({ date }) => date),
          nights.sessions.map(({ isNap }) => isNap),
        ],
      );
      await client.query(MOVE_READINGS, [userKey, dates]);
    });
  }
}

/** Moves readings that version 0.2.0 archived on the wake date of a sleep that counts on another date. */
const MOVE_READINGS = `
with moved as (
  select s.source_id, s.wake_date, min(s.summary_date) as summary_date
    from sleep_session s
   where s.user_key = $1 and s.wake_date = any ($2::date[]) and not ${IS_ARCHIVED_AS_NAP}
   group by s.source_id, s.wake_date
  having min(${ARCHIVED_DATE}) = max(${ARCHIVED_DATE}) and min(s.summary_date) <> s.wake_date
     and not exists (select from sleep_session o
                      where o.user_key = $1 and o.source_id = s.source_id and o.summary_date = s.wake_date)
), taken as (
  delete from night_archive a using moved
   where a.user_key = $1 and a.night_source_id = moved.source_id and a.wake_date = moved.wake_date
  returning moved.summary_date, a.*
)
insert into night_archive as stored (user_key, wake_date, night_source_id, type_id, source_id, asleep_count, asleep_sum,
                                     window_count, window_sum)
select $1, summary_date, night_source_id, type_id, source_id, sum(asleep_count), sum(asleep_sum), sum(window_count),
       sum(window_sum)
  from taken
 group by summary_date, night_source_id, type_id, source_id
on conflict (user_key, wake_date, night_source_id, type_id, source_id) do update
   set asleep_count = stored.asleep_count + excluded.asleep_count,
       asleep_sum = stored.asleep_sum + excluded.asleep_sum,
       window_count = stored.window_count + excluded.window_count,
       window_sum = stored.window_sum + excluded.window_sum`;
