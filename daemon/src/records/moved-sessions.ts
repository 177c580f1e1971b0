import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { archivedBefore } from './archive/minute-store.js';
import { windowsOf } from './moved-samples.js';
import type { TimelineChange } from './offset-days.js';
import { localDateAt } from './placement.js';
import type { SourceSpan } from './sleep/stage-store.js';

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
  const moved: MovedSessions = { assembled: [], wakeDates: [] };
  const windows = windowsOf(change.grown);
  if (windows.length === 0) return moved;
  const before = await archivedBefore(client, userKey);
  const bounds = [
    userKey,
    windows.map(({ fromMs }) => fromMs),
    windows.map(({ toMs }) => toMs),
    before === undefined ? '-infinity' : fromDayNumber(before),
  ];
  for (const row of (await client.query<UnplacedRow>(unplaced('sleep_session', 'wake_date', 'assembled'), bounds))
    .rows) {
    const date = localDateAt(row.end_ms, undefined, change.after);
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
  for (const row of (await client.query<UnplacedRow>(unplaced('workout', 'local_date', 'false'), bounds)).rows) {
    const date = localDateAt(row.end_ms, undefined, change.after);
    if (date === row.placed_on) continue;
    await client.query('update workout set local_date = $3 where user_key = $1 and id = $2', [userKey, row.id, date]);
  }
  return moved;
}

/** Rows without an offset that start at most a day before the windows or in them, so that their end may lie inside. */
function unplaced(table: string, dateColumn: string, assembled: string): string {
  return `
select distinct on (id) id, source_id, extract(epoch from start_at)::float8 * 1000 as start_ms,
       extract(epoch from end_at)::float8 * 1000 as end_ms, ${dateColumn} as placed_on, ${assembled} as assembled
  from unnest($2::float8[], $3::float8[]) as w (from_ms, to_ms)
  join ${table} on user_key = $1 and offset_minutes is null
               and start_at between to_timestamp(w.from_ms / 1000) - interval '1 day' and to_timestamp(w.to_ms / 1000)
               and ${dateColumn} >= $4::date`;
}
