import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { type QueryPart, readTogether } from '../../../platform/database/index.js';
import { FALLBACK_ZONE } from './fallback-zone.js';
import { type OffsetSpan, OffsetTimeline } from './offset-timeline.js';

/** Number of days to load around a write. Covers the reach of offsets and the sessions that determine naps. */
const MARGIN_DAYS = 14;

/** First and last storable day: 0001-01-01 and 9999-12-31. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** A day of the timeline. All columns except `fallback` are null if the timeline is empty. */
interface TimelineRow {
  fallback: string | null;
  offset_minutes: number | null;
  zone: string | null;
  first_ms: number;
  last_ms: number;
}

/**
 * The user's timeline between the UTC dates of {@link timelineBounds}. Includes the nearest day before and after these
 * dates, because its offset determines the dates of items that are far from all other days. Returns one row without a
 * day if the timeline is empty.
 */
export const TIMELINE: QueryPart<TimelineRow, OffsetTimeline> = {
  sql: `select fallback, offset_minutes, zone, extract(epoch from first_at)::float8 * 1000 as first_ms,
               extract(epoch from last_at)::float8 * 1000 as last_ms
          from (select ${FALLBACK_ZONE} as fallback) as user_zone
          left join offset_day on user_key = $1
           and utc_date >= coalesce((select max(utc_date) from offset_day where user_key = $1 and utc_date < $2), $2)
           and utc_date <= coalesce((select min(utc_date) from offset_day where user_key = $1 and utc_date > $3), $3)`,
  read: (rows) => {
    const timeline = new OffsetTimeline(rows[0]?.fallback ?? undefined);
    for (const { offset_minutes: offsetMinutes, zone, first_ms: first, last_ms: last } of rows) {
      if (offsetMinutes !== null) timeline.add(offsetMinutes, Math.round(first), Math.round(last), zone ?? undefined);
    }
    return timeline;
  },
};

/** Returns parameters 2 and 3 of {@link TIMELINE}: UTC dates some days before `firstMs` and after `lastMs`. */
export function timelineBounds(firstMs: number, lastMs: number): [first: string, last: string] {
  return [utcDate(firstMs, -MARGIN_DAYS), utcDate(lastMs, MARGIN_DAYS)];
}

/** Loads the timeline from some days before `firstMs` to some days after `lastMs`. */
export async function loadTimeline(
  client: pg.Pool | pg.ClientBase,
  userKey: number,
  firstMs: number,
  lastMs: number,
): Promise<OffsetTimeline> {
  const values = [userKey, ...timelineBounds(firstMs, lastMs)];
  return (await readTogether(client, 'records-load-timeline', { timeline: TIMELINE }, values)).timeline;
}

/** Stores spans of the timeline. Extends a stored span of the same day and offset. */
export async function storeSpans(client: pg.ClientBase, userKey: number, spans: OffsetSpan[]): Promise<void> {
  if (spans.length === 0) return;
  await client.query({
    name: 'records-store-timeline',
    text: `insert into offset_day as stored (user_key, utc_date, offset_minutes, first_at, last_at, zone)
           select $1, utc_date, offset_minutes, to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), zone
             from unnest($2::date[], $3::smallint[], $4::float8[], $5::float8[], $6::text[])
                  as seen (utc_date, offset_minutes, first_ms, last_ms, zone)
           on conflict (user_key, utc_date, offset_minutes) do update
              set first_at = least(stored.first_at, excluded.first_at),
                  last_at = greatest(stored.last_at, excluded.last_at), zone = excluded.zone`,
    values: [
      userKey,
      spans.map(({ firstMs }) => utcDate(firstMs, 0)),
      spans.map(({ offsetMinutes }) => offsetMinutes),
      spans.map(({ firstMs }) => firstMs),
      spans.map(({ lastMs }) => lastMs),
      spans.map(({ zone }) => zone ?? null),
    ],
  });
}

/** Returns the UTC date some days after an instant, within the years that the database can store. */
function utcDate(ms: number, plusDays: number): string {
  return fromDayNumber(Math.min(Math.max(Math.floor(ms / MS_PER_DAY) + plusDays, FIRST_DAY), LAST_DAY));
}
