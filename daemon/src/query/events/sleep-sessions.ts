import { round } from '@healthd/model';
import type { DateOrInstant, Envelope, SleepSession, SleepStages } from '@healthd/schemas';
import type pg from 'pg';
import { daysAfter, instantBounds } from '../bounds.js';
import { localOffsets } from '../local-offsets.js';
import { readNights } from '../nights/night-sessions.js';
import type { NightSession } from '../nights/session-seconds.js';
import { Cursors, pageEnvelope } from '../page.js';
import { instantText, minutesOrNull, offsetText, wholeOrNull } from '../presentation.js';
import { filteredSources, type SummarySource, sourceMetadata, sourcesFor, withheldProviders } from '../sources.js';
import type { Withheld } from '../withheld.js';
import { requireComparable, MAX_COMPARED } from './compared.js';
import type { EventQuery } from './event-list.js';
import { type SleepSessionRow, sessionCountOfDates, sessionList } from './sleep-sessions.sql.js';

export interface SleepSessionsParams {
  start: DateOrInstant;
  end: DateOrInstant;
  /** Only return the sessions that the sleep summary counts. */
  filterByPriority: boolean;
  /** Providers whose sessions are omitted. The best other source replaces them. */
  withheld?: Withheld | undefined;
  cursor?: string;
  limit: number;
}

/** Reads nights and naps, newest first: of all sources, or only the sessions that the sleep summary counts. */
export async function readSleepSessions(
  summaries: SummarySource,
  userKey: number,
  params: SleepSessionsParams,
): Promise<Envelope<SleepSession>> {
  const { pool } = summaries;
  const { start, end, filterByPriority, limit } = params;
  const bounds = instantBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['instant', 'uuid'], { route: 'sleep sessions', userKey, filters: [filterByPriority] });
  const position = cursors.decode(params.cursor);
  const filter = { withheld: params.withheld };
  const sources = await sourcesFor(pool, userKey, filter);
  const list = { bounds, filters: [filteredSources(sources, filter) ?? null], position, limit, cursors };
  const { page, totalCount } = filterByPriority
    ? await sessionList.pageAmong(pool, userKey, await countedSessions(summaries, userKey, list, params.withheld), list)
    : await sessionList.page(pool, userKey, list);
  const localOffsetOf = await wakingOffsets(pool, userKey, page.rows);
  return pageEnvelope(page, (row) => sleepSession(row, localOffsetOf(row)), {
    start,
    end,
    totalCount,
    withheld: withheldProviders(sources, params.withheld),
  });
}

/**
 * Returns the sessions that the sleep summary counts on the dates around a range, newest first.
 * @throws Failure `unprocessable` if these dates have too many sessions to compare
 */
async function countedSessions(
  { pool, priorities }: SummarySource,
  userKey: number,
  list: EventQuery,
  withheld: Withheld | undefined,
): Promise<NightSession[]> {
  const range = await sessionList.count(pool, userKey, list);
  if (!range.first_date || !range.last_date) return [];
  // Reads two more dates on both sides, because copies of one sleep share a date that is at most two days from their
  // own dates.
  const bounds = { fromDate: daysAfter(range.first_date, -2), beforeDate: daysAfter(range.last_date, 3) };
  const { rows } = await pool.query<{ count: number }>(
    sessionCountOfDates([userKey, bounds.fromDate, bounds.beforeDate, MAX_COMPARED + 1]),
  );
  requireComparable(rows[0]?.count ?? 0, 'sleep sessions');
  const { days } = await readNights(pool, userKey, bounds, await priorities.current());
  // `placed` starts with the winner.
  const best = ({ placed }: Awaited<ReturnType<typeof readNights>>['days'][number]['sleep']) =>
    placed.find(({ candidate }) => !withheld?.has(candidate.source.provider))?.candidate.sessions ?? [];
  return days
    .flatMap(({ sleep, naps }) => [...best(sleep), ...best(naps)])
    .sort((a, b) => b.start_at.getTime() - a.start_at.getTime() || (a.id < b.id ? 1 : -1));
}

/** Returns the UTC offset of each session at waking. */
export function wakingOffsets<Row extends Pick<SleepSessionRow, 'end_at' | 'offset_minutes'>>(
  pool: pg.Pool,
  userKey: number,
  rows: readonly Row[],
): Promise<(row: Row) => string> {
  return localOffsets(pool, userKey, rows, ({ end_at }) => end_at.getTime());
}

/** Converts a night or nap to its API form. */
export function sleepSession(row: SleepSessionRow, localOffset: string): SleepSession {
  return {
    id: row.id,
    start_time: instantText(row.start_at),
    end_time: instantText(row.end_at),
    zone_offset: offsetText(row.offset_minutes),
    local_offset: localOffset,
    wake_date: row.wake_date,
    source: sourceMetadata(row),
    duration_seconds: round((row.end_at.getTime() - row.start_at.getTime()) / 1000),
    sleep_duration_seconds: wholeOrNull(row.asleep_seconds),
    efficiency_percent: row.efficiency_percent,
    stages: stageMinutes([row]),
    sleep_stage_intervals:
      row.stages?.map(({ stage, start_time, end_time }) => ({
        stage,
        start_time: instantText(Date.parse(start_time)),
        end_time: instantText(Date.parse(end_time)),
      })) ?? null,
    is_nap: row.is_nap,
  };
}

type StageSeconds = Pick<SleepSessionRow, 'awake_seconds' | 'light_seconds' | 'deep_seconds' | 'rem_seconds'>;

/**
 * Returns the minutes of each stage over all sessions. An unknown stage is null; the result is null if all stages are
 * unknown.
 */
export function stageMinutes(sessions: readonly StageSeconds[]): SleepStages | null {
  const minutes = (name: keyof StageSeconds) => minutesOrNull(sumOfKnown(sessions.map((session) => session[name])));
  const stages = {
    awake_minutes: minutes('awake_seconds'),
    light_minutes: minutes('light_seconds'),
    deep_minutes: minutes('deep_seconds'),
    rem_minutes: minutes('rem_seconds'),
  };
  return Object.values(stages).every((value) => value === null) ? null : stages;
}

/** Returns the sum of the values that are not null; null if all values are null. */
export function sumOfKnown(values: readonly (number | null)[]): number | null {
  let sum: number | null = null;
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value;
  return sum;
}
