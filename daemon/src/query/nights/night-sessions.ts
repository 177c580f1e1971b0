import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { Turns } from '../../platform/turns.js';
import type { Priorities } from '../../priorities/index.js';
import { ruleSource } from '../../store/facts/index.js';
import type { DayBounds } from '../bounds.js';
import type { StoredStage } from '../events/sleep-sessions.sql.js';
import { nearestOffset } from '../nearest-offset.js';
import { listedNumbers, numberList } from '../number-list.js';
import { type ArchivedAs, type SleepDay, sleepDays } from '../selection/sleep-days.js';
import { ruleSources, SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { countedOnce } from './counted-once.js';
import { hasSleepTime, type NightSession, netSeconds } from './session-seconds.js';

/** A user's nights by date, and sources by id. */
export interface Nights {
  /** Dates in order, including two days before and after the range, because readings near a night belong to it. */
  days: readonly SleepDay<NightSession>[];
  sources: ReadonlyMap<number, SourceRow>;
  /** Returns the identity of the source that an archived night stores for a group. */
  keptSource(date: string, group: string): string | undefined;
  /** True if any night stores a source. */
  hasKept: boolean;
  /** True until a repair has rebuilt the roll-ups of nights. Readings then come from samples. */
  isRebuilding: boolean;
}

/** Maximum number of days between the dates of one sleep's copies. The dates differ because clocks differ. */
const REACH_DAYS = 2;

/** Columns of a session that are numbers or null. */
const NUMBERS = [
  'offset_minutes',
  'asleep_seconds',
  'in_bed_seconds',
  'awake_seconds',
  'light_seconds',
  'deep_seconds',
  'rem_seconds',
  'efficiency_percent',
  'awakenings',
  'source_id',
] as const;
/** Columns of a session that are computed, as SQL of numbers. Instants are milliseconds since 1970. */
const COMPUTED = {
  start_ms: `extract(epoch from date_trunc('milliseconds', n.start_at)) * 1000`,
  end_ms: `extract(epoch from date_trunc('milliseconds', n.end_at)) * 1000`,
  nap: 'n.is_nap::int4',
  counted_nap: 'n.counted_as_nap::int4',
  summary_day: `n.summary_date - date '1970-01-01'`,
  local_offset_minutes: 'coalesce(n.offset_minutes, near.offset_minutes, 0)',
} as const;
type ListedColumn = (typeof NUMBERS)[number] | keyof typeof COMPUTED;

/** Sessions as one list per column, in order of start; null without sessions. */
type ListedSessions = Record<ListedColumn | 'id' | 'wake_date', string | null>;

/**
 * Reads in one row a user's sessions by index on (user_key, wake_date), all of the user's sources, and the sources of
 * nights with archived samples by primary key. Uses one statement, because each round trip costs more than any of the
 * parts. Parameters: user, from, before.
 */
const nightsAround = statement(
  'night_sessions',
  `select
     (select json_agg(own) from (select ${SOURCE_COLUMNS} from data_source s where s.user_key = $1) own) as sources,
     exists (select from pending_repair where user_key = $1 and repair = 'night_sources') as is_rebuilding,
     (select json_agg(json_build_array(k.wake_date, k.figure_group, k.source_id)) from night_source k
       where k.user_key = $1 and k.wake_date >= $2::date - ${REACH_DAYS} and k.wake_date < $3::date + ${REACH_DAYS}
         and exists (select from night_archive gone where gone.user_key = $1 and gone.wake_date = k.wake_date)) as kept,
     listed.*
   from (
     select string_agg(n.id::text, ',') as id, string_agg(n.wake_date::text, ',') as wake_date,
       ${[...NUMBERS, ...Object.keys(COMPUTED)].map((column) => `${listedNumbers(`n.${column}`)} as ${column}`).join(', ')}
     from (
       select n.id, n.wake_date, ${NUMBERS.map((column) => `n.${column}`).join(', ')},
         ${Object.entries(COMPUTED)
           .map(([column, sql]) => `${sql} as ${column}`)
           .join(', ')}
       from sleep_session n
       left join lateral (
         ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
       ) near on true
       where n.user_key = $1 and n.wake_date >= $2::date - ${REACH_DAYS} and n.wake_date < $3::date + ${REACH_DAYS}
       order by n.start_at, n.id
     ) n
   ) listed`,
);

interface NightsAround extends ListedSessions {
  sources: SourceRow[] | null;
  is_rebuilding: boolean;
  kept: [date: string, group: string, sourceId: number][] | null;
}

/** Parameters: user, ids. */
const stagesOfSessions = statement(
  'night_stages',
  'select id, stages from sleep_session where user_key = $1 and id = any ($2::uuid[])',
);

/** Stored nights around a range, before the selection of sources. */
export interface StoredNights extends Omit<Nights, 'days'> {
  sessions: readonly NightSession[];
}

/** Reads the nights around the dates from `fromDate` to before `beforeDate`, each with its selected source. */
export async function readNights(
  pool: pg.Pool,
  userKey: number,
  range: DayBounds,
  priorities: Priorities,
): Promise<Nights> {
  const { sessions, ...stored } = await readStoredNights(pool, userKey, range);
  return { ...stored, days: await selectNights({ sessions, ...stored }, priorities) };
}

/** Selects the source of each night. Yields to other requests. */
export function selectNights(
  { sessions, sources, keptSource: archivedSource }: Pick<StoredNights, 'sessions' | 'sources' | 'keptSource'>,
  priorities: Priorities,
): Promise<SleepDay<NightSession>[]> {
  const ruleOf = ruleSources();
  const sourceOf = (sourceId: number) => ruleOf(sources.get(sourceId)!);
  return new Turns().run(sleepDays(sessions, { priorities, sourceOf, secondsAsleep, keptSource: archivedSource }));
}

export async function readStoredNights(
  pool: pg.Pool,
  userKey: number,
  { fromDate, beforeDate }: DayBounds,
): Promise<StoredNights> {
  const { rows } = await pool.query<NightsAround>(nightsAround([userKey, fromDate, beforeDate]));
  const [stored] = rows;
  const sources = new Map(stored?.sources?.map((row) => [row.source_id, row]));
  const storedOf = new Map(
    stored?.kept?.flatMap(([date, group, id]) => {
      const source = sources.get(id);
      return source ? [[`${date} ${group}`, ruleSource(source).identity] as const] : [];
    }),
  );
  const sessions = stored ? listedSessions(stored).filter((session) => sources.has(session.source_id)) : [];
  await addOverlappedStages(pool, userKey, sessions);
  return {
    sessions,
    sources,
    keptSource: (date, group) => (storedOf.size === 0 ? undefined : storedOf.get(`${date} ${group}`)),
    hasKept: storedOf.size > 0,
    isRebuilding: stored?.is_rebuilding ?? false,
  };
}

/** Converts the column lists of the statement to sessions. */
function listedSessions(stored: ListedSessions): NightSession[] {
  const listed = (column: ListedColumn) => numberList(stored[column] ?? '');
  /** Reads a column without nulls. */
  const known = (column: ListedColumn) => listed(column) as number[];
  const wakeDates = stored.wake_date?.split(',') ?? [];
  const [sourceIds, starts, ends, naps] = [known('source_id'), known('start_ms'), known('end_ms'), known('nap')];
  const [offsets, localOffsets, efficiencies] = [
    listed('offset_minutes'),
    known('local_offset_minutes'),
    listed('efficiency_percent'),
  ];
  const [asleep, inBed, awake] = [listed('asleep_seconds'), listed('in_bed_seconds'), listed('awake_seconds')];
  const [light, deep, rem, awakenings, countedNaps, summaryDays] = [
    listed('light_seconds'),
    listed('deep_seconds'),
    listed('rem_seconds'),
    listed('awakenings'),
    listed('counted_nap'),
    listed('summary_day'),
  ];
  return (stored.id?.split(',') ?? []).map((id, at) => ({
    id,
    wake_date: wakeDates[at] as string,
    source_id: sourceIds[at] as number,
    start_at: new Date(starts[at] as number),
    end_at: new Date(ends[at] as number),
    offset_minutes: offsets[at] ?? null,
    local_offset_minutes: localOffsets[at] as number,
    is_nap: naps[at] === 1,
    asleep_seconds: asleep[at] ?? null,
    in_bed_seconds: inBed[at] ?? null,
    awake_seconds: awake[at] ?? null,
    light_seconds: light[at] ?? null,
    deep_seconds: deep[at] ?? null,
    rem_seconds: rem[at] ?? null,
    efficiency_percent: efficiencies[at] ?? null,
    awakenings: awakenings[at] ?? null,
    archived_as: archivedAs(summaryDays[at], countedNaps[at]),
    overlapped_stages: null,
  }));
}

function archivedAs(summaryDay?: number | null, countedNap?: number | null): ArchivedAs | null {
  return typeof summaryDay === 'number' ? { date: fromDayNumber(summaryDay), isNap: countedNap === 1 } : null;
}

/**
 * Returns the seconds asleep in sessions of one source, each instant once; null if no session reports them.
 * @param before sessions of the source whose time does not count again
 */
function secondsAsleep(sessions: readonly NightSession[], before: readonly NightSession[] = []): number | null {
  // Returns null if no session has a time asleep. Some vendors send 0 s asleep for a sleep that they did not measure.
  if (!sessions.some(hasSleepTime)) return null;
  return countedOnce(sessions, before)
    .filter(hasSleepTime)
    .reduce((sum, session) => sum + (netSeconds(session) ?? 0), 0);
}

/** Reads stages only for sessions that overlap another session of their source, because stages are large. */
async function addOverlappedStages(pool: pg.Pool, userKey: number, ordered: NightSession[]): Promise<void> {
  const overlapped = new Set<NightSession>();
  const latest = new Map<number, NightSession>();
  for (const session of ordered) {
    const before = latest.get(session.source_id);
    if (before && before.end_at > session.start_at) overlapped.add(before).add(session);
    if (!before || session.end_at > before.end_at) latest.set(session.source_id, session);
  }
  if (overlapped.size === 0) return;
  const ids = [...overlapped].map(({ id }) => id);
  const { rows } = await pool.query<{ id: string; stages: StoredStage[] | null }>(stagesOfSessions([userKey, ids]));
  const stages = new Map(rows.map((row) => [row.id, row.stages]));
  for (const session of overlapped) session.overlapped_stages = stages.get(session.id) ?? null;
}
