import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { Turns } from '../../platform/turns.js';
import type { Priorities } from '../../priorities/index.js';
import { ruleSource } from '../../store/facts/index.js';
import type { DayBounds } from '../bounds.js';
import { SESSION_FIGURES, type StoredStage } from '../events/sleep-sessions.sql.js';
import { nearestOffset } from '../nearest-offset.js';
import { type SleepDay, sleepDays } from '../selection/sleep-days.js';
import { ruleSources, SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { countedOnce } from './counted-once.js';
import { knowsSleep, type NightSession, netSeconds } from './session-seconds.js';

/** A user's nights by date, and sources by id. */
export interface Nights {
  /** Dates in order, including two days before and after the range, because readings near a night belong to it. */
  days: readonly SleepDay<NightSession>[];
  sources: ReadonlyMap<number, SourceRow>;
  /** Returns the identity of the source that an archived night keeps for a group. */
  keptSource(date: string, group: string): string | undefined;
  /** True if any night keeps a source. */
  hasKept: boolean;
  /** True until a repair has rebuilt the roll-ups of nights. Readings then come from samples. */
  isRebuilding: boolean;
}

/** Maximum number of days between the dates of copies of one sleep, because clocks differ. */
const REACH_DAYS = 2;

/** By index on (user_key, wake_date). Parameters: user, from, before. */
const sessionsByWakeDate = statement(
  'night_sessions',
  `select n.wake_date, ${SESSION_FIGURES}, n.awakenings,
     coalesce(n.offset_minutes, near.offset_minutes, 0) as local_offset_minutes, ${SOURCE_COLUMNS}
   from sleep_session n
   join data_source s on s.user_key = $1 and s.source_id = n.source_id
   left join lateral (
     ${nearestOffset('n.end_at', 'n.offset_minutes is null')}
   ) near on true
   where n.user_key = $1 and n.wake_date >= $2::date - ${REACH_DAYS} and n.wake_date < $3::date + ${REACH_DAYS}
   order by n.start_at, n.id`,
);

/** Parameters: user, ids. */
const stagesOfSessions = statement(
  'night_stages',
  'select id, stages from sleep_session where user_key = $1 and id = any ($2::uuid[])',
);

/** Parameters: user. */
const sourcesAndRepair = statement(
  'night_sources',
  `select ${SOURCE_COLUMNS},
     exists (select from pending_repair where user_key = $1 and repair = 'night_sources') as is_rebuilding
   from data_source s where s.user_key = $1`,
);

/** Reads the sources of nights with archived samples, by primary key. Parameters: user, from, before. */
const keptSources = statement(
  'night_kept_sources',
  `select k.wake_date as date, k.figure_group, k.source_id from night_source k
   where k.user_key = $1 and k.wake_date >= $2::date - ${REACH_DAYS} and k.wake_date < $3::date + ${REACH_DAYS}
     and exists (select from night_archive gone where gone.user_key = $1 and gone.wake_date = k.wake_date)`,
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
  { sessions, sources, keptSource }: Pick<StoredNights, 'sessions' | 'sources' | 'keptSource'>,
  priorities: Priorities,
): Promise<SleepDay<NightSession>[]> {
  const ruleOf = ruleSources();
  const sourceOf = (sourceId: number) => ruleOf(sources.get(sourceId)!);
  return new Turns().run(sleepDays(sessions, { priorities, sourceOf, secondsAsleep, keptSource }));
}

export async function readStoredNights(
  pool: pg.Pool,
  userKey: number,
  { fromDate, beforeDate }: DayBounds,
): Promise<StoredNights> {
  const [stored, kept, known] = await Promise.all([
    pool.query<NightSession>(sessionsByWakeDate([userKey, fromDate, beforeDate])),
    pool.query<{ date: string; figure_group: string; source_id: number }>(keptSources([userKey, fromDate, beforeDate])),
    pool.query<SourceRow & { is_rebuilding: boolean }>(sourcesAndRepair([userKey])),
  ]);
  const sources = new Map(known.rows.map((row) => [row.source_id, row]));
  const keptOf = new Map(
    kept.rows.flatMap(({ date, figure_group: group, source_id: id }) => {
      const source = sources.get(id);
      return source ? [[`${date} ${group}`, ruleSource(source).identity] as const] : [];
    }),
  );
  // A source that arrived between the two statements is missing. Its sessions count from the next request.
  const sessions = stored.rows.filter((session) => sources.has(session.source_id));
  await addOverlappedStages(pool, userKey, sessions);
  return {
    sessions,
    sources,
    keptSource: (date, group) => keptOf.get(`${date} ${group}`),
    hasKept: keptOf.size > 0,
    isRebuilding: known.rows[0]?.is_rebuilding ?? false,
  };
}

/** Returns the seconds asleep in sessions of one source, each instant once; null if no session reports them. */
function secondsAsleep(sessions: readonly NightSession[]): number | null {
  const known = countedOnce(sessions)
    .filter(knowsSleep)
    .map((session) => netSeconds(session) ?? 0);
  return known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0);
}

/** Reads stages only for sessions that overlap another session of their source, because stages are large. */
async function addOverlappedStages(pool: pg.Pool, userKey: number, ordered: NightSession[]): Promise<void> {
  const overlapped = new Set<NightSession>();
  const latest = new Map<string, NightSession>();
  for (const session of ordered) {
    session.overlapped_stages = null;
    const key = `${session.source_id} ${session.wake_date}`;
    const before = latest.get(key);
    if (before && before.end_at > session.start_at) overlapped.add(before).add(session);
    if (!before || session.end_at > before.end_at) latest.set(key, session);
  }
  if (overlapped.size === 0) return;
  const ids = [...overlapped].map(({ id }) => id);
  const { rows } = await pool.query<{ id: string; stages: StoredStage[] | null }>(stagesOfSessions([userKey, ids]));
  const stages = new Map(rows.map((row) => [row.id, row.stages]));
  for (const session of overlapped) session.overlapped_stages = stages.get(session.id) ?? null;
}
