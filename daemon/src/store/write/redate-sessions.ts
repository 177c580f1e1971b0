import { fromDayNumber, type PlausibleLength, SLEEP_LENGTH, WORKOUT_LENGTH } from '@healthd/model';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { WriteContext } from '../facts/write-context.js';
import type { InstantSpan } from './batch-span.js';

/** Sessions without an offset whose date the timeline may change. */
export interface RedatedSessions {
  /** Spans of assembled sessions. Reassembling the sessions redates them. */
  assembled: SourceSpan[];
  /** Wake dates of vendors' sessions before and after redating, which is complete. */
  wakeDates: string[];
}

interface SessionRow {
  id: string;
  source_id: number;
  start_ms: number;
  end_ms: number;
  stored_date: string;
  assembled: boolean;
}

/**
 * Redates sessions and workouts without an offset in the spans. Keeps dates on archived days, because the nightly
 * readings from removed samples stay on their date.
 */
export async function redateSessions(
  { client, userKey, archivedBefore, timeline }: WriteContext,
  spans: readonly InstantSpan[],
): Promise<RedatedSessions> {
  const redated: RedatedSessions = { assembled: [], wakeDates: [] };
  if (spans.length === 0) return redated;
  const bounds = [
    userKey,
    spans.map(({ fromMs }) => boundText(fromMs)),
    spans.map(({ toMs }) => boundText(toMs)),
    archivedBefore === undefined ? '-infinity' : fromDayNumber(archivedBefore),
  ];
  const sessions = await client.query<SessionRow>(
    withoutOffset('sleep_session', 'wake_date', 'assembled', SLEEP_LENGTH),
    bounds,
  );
  for (const row of sessions.rows) {
    const date = timeline.localDateOf(row.end_ms, undefined);
    if (row.assembled) {
      redated.assembled.push({ sourceId: row.source_id, fromMs: row.start_ms, toMs: row.end_ms });
    } else if (date !== row.stored_date) {
      await client.query('update sleep_session set wake_date = $3 where user_key = $1 and id = $2', [
        userKey,
        row.id,
        date,
      ]);
      redated.wakeDates.push(row.stored_date, date);
    }
  }
  for (const row of (
    await client.query<SessionRow>(withoutOffset('workout', 'local_date', 'false', WORKOUT_LENGTH), bounds)
  ).rows) {
    const date = timeline.localDateOf(row.end_ms, undefined);
    if (date === row.stored_date) continue;
    await client.query('update workout set local_date = $3 where user_key = $1 and id = $2', [userKey, row.id, date]);
  }
  return redated;
}

function boundText(ms: number): string {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
}

/** Selects rows without an offset that may overlap the spans. */
function withoutOffset(table: string, dateColumn: string, assembled: string, { maxMs }: PlausibleLength): string {
  return `
select distinct on (id) id, source_id, extract(epoch from start_at)::float8 * 1000 as start_ms,
       extract(epoch from end_at)::float8 * 1000 as end_ms, ${dateColumn} as stored_date, ${assembled} as assembled
  from unnest($2::timestamptz[], $3::timestamptz[]) as span (from_at, to_at)
  join ${table} on user_key = $1 and offset_minutes is null
               and start_at between span.from_at - interval '${maxMs} milliseconds' and span.to_at
               and ${dateColumn} >= $4::date`;
}
