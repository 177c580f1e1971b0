import { fromDayNumber, type PlausibleLength, SLEEP_LENGTH, WORKOUT_LENGTH } from '@healthd/model';
import { statement } from '../../platform/database/index.js';
import { CHANGE } from '../facts/change.js';
import { changesOf } from '../facts/changes.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { WriteContext } from '../facts/write-context.js';
import type { InstantSpan } from './batch-span.js';

/** A stored session or workout whose local date changes. */
interface RedatedRow {
  id: string;
  before: string;
  date: string;
}

/** Sessions without an offset whose date the timeline may change. */
export interface RedatedSessions {
  /** Spans of assembled sessions. Their dates change when the sessions are reassembled. */
  assembled: SourceSpan[];
  /** Vendors' sessions. */
  nights: RedatedRow[];
  workouts: RedatedRow[];
}

interface SessionRow {
  id: string;
  source_id: number;
  start_ms: number;
  end_ms: number;
  stored_date: string;
  assembled: boolean;
}

/** Returns SQL that selects rows without an offset that may overlap the spans. */
function withoutOffset(table: string, dateColumn: string, assembled: string, { maxMs }: PlausibleLength): string {
  return `
select distinct on (id) id, source_id, extract(epoch from start_at)::float8 * 1000 as start_ms,
       extract(epoch from end_at)::float8 * 1000 as end_ms, ${dateColumn} as stored_date, ${assembled} as assembled
  from unnest($2::timestamptz[], $3::timestamptz[]) as span (from_at, to_at)
  join ${table} on user_key = $1 and offset_minutes is null
               and start_at between span.from_at - interval '${maxMs} milliseconds' and span.to_at
               and ${dateColumn} >= $4::date`;
}

const sessionsWithoutOffset = statement(
  'records-sessions-without-offset',
  withoutOffset('sleep_session', 'wake_date', 'assembled', SLEEP_LENGTH),
);
const workoutsWithoutOffset = statement(
  'records-workouts-without-offset',
  withoutOffset('workout', 'local_date', 'false', WORKOUT_LENGTH),
);

/**
 * Finds the sessions and workouts without an offset in the spans, and their new dates. Keeps dates on archived days,
 * because the nightly readings from removed samples remain on these dates.
 */
export async function findRedated(
  { client, userKey, archivedBefore, timeline }: WriteContext,
  spans: readonly InstantSpan[],
): Promise<RedatedSessions> {
  if (spans.length === 0) return { assembled: [], nights: [], workouts: [] };
  const bounds = [
    userKey,
    spans.map(({ fromMs }) => boundText(fromMs)),
    spans.map(({ toMs }) => boundText(toMs)),
    archivedBefore === undefined ? '-infinity' : fromDayNumber(archivedBefore),
  ];
  const { rows: sessions } = await client.query<SessionRow>(sessionsWithoutOffset(bounds));
  const { rows: workouts } = await client.query<SessionRow>(workoutsWithoutOffset(bounds));
  const changed = (rows: readonly SessionRow[]) =>
    rows.flatMap(({ id, end_ms, stored_date: before }): RedatedRow[] => {
      const date = timeline.localDateOf(end_ms, undefined);
      return date === before ? [] : [{ id, before, date }];
    });
  return {
    assembled: sessions
      .filter((row) => row.assembled)
      .map(({ source_id, start_ms, end_ms }) => ({ sourceId: source_id, fromMs: start_ms, toMs: end_ms })),
    nights: changed(sessions.filter((row) => !row.assembled)),
    workouts: changed(workouts),
  };
}

/** Stores the new dates of vendors' sessions and workouts. */
export async function storeDates(
  { client, userKey }: Pick<WriteContext, 'client' | 'userKey'>,
  { nights, workouts }: Pick<RedatedSessions, 'nights' | 'workouts'>,
): Promise<void> {
  const tables = [
    ['sleep_session', 'wake_date', nights],
    ['workout', 'local_date', workouts],
  ] as const;
  for (const [table, column, rows] of tables) {
    if (rows.length === 0) continue;
    const changes = changesOf(client, userKey);
    for (const { id, before, date } of rows) changes.addItem(table, id, CHANGE.redated, [before, date]);
    await client.query(
      `update ${table} s set ${column} = given.date from unnest($2::uuid[], $3::date[]) as given (id, date)
        where s.user_key = $1 and s.id = given.id`,
      [userKey, rows.map(({ id }) => id), rows.map(({ date }) => date)],
    );
  }
}

function boundText(ms: number): string {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
}
