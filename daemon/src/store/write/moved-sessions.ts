import { fromDayNumber, type PlausibleLength, SLEEP_LENGTH, WORKOUT_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { archivedBefore } from '../facts/archived/minute-store.js';
import type { TimelineChange } from '../facts/offsets/offset-days.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { localDateAt } from '../facts/offsets/placement.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { type TimeWindow, windowsOf } from './moved-samples.js';

/** What a grown timeline moves among sessions without an offset of their own. */
export interface MovedSessions {
  /** Assembled sessions lie here; assembling them anew places them. */
  assembled: SourceSpan[];
  /** Wake dates before and after of vendors' sessions, which are placed already. */
  wakeDates: string[];
}

interface UnplacedRow {
  id: string;
  source_id: number;
  start_ms: number;
  end_ms: number;
  placed_on: string;
  assembled: boolean;
}

/**
 * Gives sessions and workouts without an offset the local date that the grown timeline gives them. On archived days they
 * stay, because what removed samples gave to a night stays on its date.
 */
export async function placeMovedSessions(
  client: pg.ClientBase,
  userKey: number,
  change: TimelineChange,
): Promise<MovedSessions> {
  const windows = windowsOf(change);
  if (windows.length === 0) return { assembled: [], wakeDates: [] };
  return placeSessions(client, userKey, windows, change.after);
}

/** As {@link placeMovedSessions} for all that lies in the windows. */
export async function placeSessions(
  client: pg.ClientBase,
  userKey: number,
  windows: readonly TimeWindow[],
  timeline: OffsetTimeline,
): Promise<MovedSessions> {
  const moved: MovedSessions = { assembled: [], wakeDates: [] };
  const before = await archivedBefore(client, userKey);
  const bounds = [
    userKey,
    windows.map(({ fromMs }) => boundText(fromMs)),
    windows.map(({ toMs }) => boundText(toMs)),
    before === undefined ? '-infinity' : fromDayNumber(before),
  ];
  const sessions = await client.query<UnplacedRow>(
    unplaced('sleep_session', 'wake_date', 'assembled', SLEEP_LENGTH),
    bounds,
  );
  for (const row of sessions.rows) {
    const date = localDateAt(row.end_ms, undefined, timeline);
    if (row.assembled) {
      moved.assembled.push({ sourceId: row.source_id, fromMs: row.start_ms, toMs: row.end_ms });
    } else if (date !== row.placed_on) {
      await client.query('update sleep_session set wake_date = $3 where user_key = $1 and id = $2', [
        userKey,
        row.id,
        date,
      ]);
      moved.wakeDates.push(row.placed_on, date);
    }
  }
  for (const row of (
    await client.query<UnplacedRow>(unplaced('workout', 'local_date', 'false', WORKOUT_LENGTH), bounds)
  ).rows) {
    const date = localDateAt(row.end_ms, undefined, timeline);
    if (date === row.placed_on) continue;
    await client.query('update workout set local_date = $3 where user_key = $1 and id = $2', [userKey, row.id, date]);
  }
  return moved;
}

function boundText(ms: number): string {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
}

/** Rows without an offset of which some part may lie in the windows. */
function unplaced(table: string, dateColumn: string, assembled: string, { maxMs }: PlausibleLength): string {
  return `
select distinct on (id) id, source_id, extract(epoch from start_at)::float8 * 1000 as start_ms,
       extract(epoch from end_at)::float8 * 1000 as end_ms, ${dateColumn} as placed_on, ${assembled} as assembled
  from unnest($2::timestamptz[], $3::timestamptz[]) as w (from_at, to_at)
  join ${table} on user_key = $1 and offset_minutes is null
               and start_at between w.from_at - interval '${maxMs} milliseconds' and w.to_at
               and ${dateColumn} >= $4::date`;
}
