import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, NIGHT_SECONDS } from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { type CopyPair, copyPairs, groupConnected, lengthMs, overlapMs, type TimeSpan } from './overlap-groups.js';
import { type Candidate, type RuleSource, type Selection, selectSource, sourceClass } from './select-source.js';

/** How the summary counted a session when it was archived. */
export interface ArchivedAs {
  date: string;
  isNap: boolean;
}

/** A stored night or nap with the data that the rule needs. */
interface RuleSession extends TimeSpan {
  source_id: number;
  /** Local date of waking. */
  wake_date: string;
  /** UTC offset at waking, in minutes. */
  local_offset_minutes: number;
  /** True if the vendor or the writer classified it as a nap. */
  is_nap: boolean;
  /** Null before the session is archived. */
  archived_as: ArchivedAs | null;
}

/** The sessions of one source on one date. `lead` is the time asleep in seconds; null without a time asleep. */
export interface SleepCandidate<Session> extends Candidate {
  sourceId: number;
  /** Sessions in order of start. */
  sessions: readonly Session[];
}

/** One date of the sleep summary, with its two groups: sleep is the lead group. */
export interface SleepDay<Session> {
  date: string;
  sleep: Selection<SleepCandidate<Session>>;
  naps: Selection<SleepCandidate<Session>>;
}

interface SleepRule<Session> {
  priorities: Priorities;
  sourceOf(sourceId: number): RuleSource;
  /** Identity of the source that an archived night keeps. */
  keptSource?(date: string, group: 'sleep' | 'naps'): string | undefined;
  /**
   * Seconds asleep in sessions of one source, counting each instant once; null if the source reports no time asleep.
   * @param before sessions of the source whose time does not count again
   */
  secondsAsleep(sessions: readonly Session[], before?: readonly Session[]): number | null;
}

/** Earliest and latest local time of day of a nap's middle, inclusive. */
const NAP_FROM_MS = 9 * MS_PER_HOUR;
const NAP_TO_MS = 20 * MS_PER_HOUR;

/**
 * Arranges the sessions of all sources by date and selects the source of each night and of its naps. Dates are in
 * order. Sessions of different sources that overlap by more than half of the shorter session are copies of one sleep
 * and share one date. Archived sessions stay on their dates, and only their own copies join them: a late session that
 * is also a copy of another source's recent night must not move that night to an archived date.
 * Yields between pieces of work.
 */
export function* sleepDays<Session extends RuleSession>(
  sessions: readonly Session[],
  rule: SleepRule<Session>,
): Generator<void, SleepDay<Session>[]> {
  const ordered = [...sessions].sort(
    (a, b) => a.start_at.getTime() - b.start_at.getTime() || a.end_at.getTime() - b.end_at.getTime(),
  );
  const pairs = yield* pairsOfCopies(ordered, rule);
  const naps = new Set(yield* napsAmong(ordered, groupsOf(ordered, pairs), rule));
  const archivedDateOf = archivedDates(ordered, pairs, naps, rule);
  const open = pairs.filter((pair) => pair.every((at) => !archivedDateOf.has(ordered[at] as Session)));
  const dateOf = yield* datesOfCopies(groupsOf(ordered, open), naps, rule);
  const byDate = groupedBy(
    ordered,
    (session) => archivedDateOf.get(session) ?? dateOf.get(session) ?? session.wake_date,
  );
  const days: SleepDay<Session>[] = [];
  for (const [date, own] of [...byDate].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield;
    const main = own.filter((session) => !naps.has(session));
    const sleep = selectSleep(main, rule, rule.keptSource?.(date, 'sleep'));
    const napping = candidatesOf(
      own.filter((session) => naps.has(session)),
      rule,
      sleep.winner,
    );
    const groupRule = { priorities: rule.priorities, enough: 'any', isSum: true, lead: sleep } as const;
    days.push({ date, sleep, naps: selectSource(napping, groupRule, rule.keptSource?.(date, 'naps')) });
  }
  return days;
}

function selectSleep<Session extends RuleSession>(main: readonly Session[], rule: SleepRule<Session>, kept?: string) {
  const { priorities } = rule;
  return selectSource(candidatesOf(main, rule), { priorities, enough: 'sleep', isSum: true }, kept);
}

/** @param night the selected night. Time in it does not count again for naps of the same source. */
function candidatesOf<Session extends RuleSession>(
  sessions: readonly Session[],
  { sourceOf, secondsAsleep }: SleepRule<Session>,
  night?: SleepCandidate<Session>,
): SleepCandidate<Session>[] {
  return [...groupedBy(sessions, (session) => session.source_id)].map(([sourceId, own]) => ({
    source: sourceOf(sourceId),
    lead: secondsAsleep(own, night?.sourceId === sourceId ? night.sessions : []),
    sourceId,
    sessions: own,
  }));
}

/** Returns the pairs of copies by position. */
function* pairsOfCopies<Session extends RuleSession>(
  ordered: readonly Session[],
  { priorities, sourceOf }: SleepRule<Session>,
): Generator<void, CopyPair[]> {
  const isWorn = ordered.map(({ source_id: id }) => sourceClass(sourceOf(id), priorities) === 0);
  return withoutBridges(ordered, yield* copyPairs(ordered, areCopies), isWorn);
}

/** Groups the copies of each sleep. A session without copies is in no group. */
function groupsOf<Session>(ordered: readonly Session[], pairs: readonly CopyPair[]): Session[][] {
  return groupConnected(ordered, pairs).filter(({ length }) => length > 1);
}

/**
 * Keeps only one copy among wearables for each session of a phone or app: the copy with the longest overlap, then the
 * earliest. Otherwise an app that was never stopped would join two nights, or a night and a nap.
 */
function withoutBridges(
  ordered: readonly TimeSpan[],
  pairs: readonly CopyPair[],
  isWorn: readonly boolean[],
): CopyPair[] {
  const nearest = new Map<number, { worn: number; commonMs: number }>();
  for (const [at, other] of pairs) {
    if (isWorn[at] === isWorn[other]) continue;
    const [worn, unworn] = isWorn[at] ? [at, other] : [other, at];
    const commonMs = overlapMs(ordered[at] as TimeSpan, ordered[other] as TimeSpan);
    const known = nearest.get(unworn);
    const isNearer = !known || commonMs > known.commonMs || (commonMs === known.commonMs && worn < known.worn);
    if (isNearer) nearest.set(unworn, { worn, commonMs });
  }
  return pairs.filter(([at, other]) => {
    if (isWorn[at] && isWorn[other]) return true;
    if (!isWorn[at] && !isWorn[other]) return !nearest.has(at) && !nearest.has(other);
    return isWorn[at] ? nearest.get(other)?.worn === at : nearest.get(at)?.worn === other;
  });
}

/** True if sessions of different sources overlap by more than half of the shorter session. */
function areCopies(a: RuleSession, b: RuleSession): boolean {
  return a.source_id !== b.source_id && overlapMs(a, b) > Math.min(lengthMs(a), lengthMs(b)) / 2;
}

/**
 * Returns the naps: flagged sessions, except copies of a night. Ignores the flags of a source without a session of
 * three hours if another source recorded the night. Such a writer had no night for comparison, so the time of day
 * decides. The sessions of an archived night keep their classification.
 */
function* napsAmong<Session extends RuleSession>(
  ordered: readonly Session[],
  copies: readonly (readonly Session[])[],
  rule: SleepRule<Session>,
): Generator<void, Session[]> {
  const seconds = new Map<Session, number | null>();
  for (const session of ordered) {
    seconds.set(session, rule.secondsAsleep([session]));
    yield;
  }
  const isLong = (session: Session) => (seconds.get(session) ?? 0) >= NIGHT_SECONDS;
  const isNight = (session: Session) => !session.is_nap && isLong(session);
  const copiesOfNight = new Set(
    copies.flatMap((group) => {
      const recorders = new Set(group.filter(isNight).map((session) => session.source_id));
      return group.filter((session) => recorders.size > (recorders.has(session.source_id) ? 1 : 0));
    }),
  );
  return [...groupedBy(ordered, (session) => session.wake_date)].flatMap(([, own]) => {
    const hasNight = own.some(isNight);
    const longSleepers = new Set(own.filter(isLong).map((session) => session.source_id));
    return own.filter((session) => {
      const archived = archivedAs(session, rule);
      if (archived) return archived.isNap;
      if (copiesOfNight.has(session)) return false;
      if (!hasNight || longSleepers.has(session.source_id)) return session.is_nap;
      return isNapByClock(session, seconds.get(session) ?? null);
    });
  });
}

function isNapByClock(session: RuleSession, secondsAsleep: number | null): boolean {
  if (secondsAsleep === null || secondsAsleep >= NIGHT_SECONDS) return false;
  const middleMs = (session.start_at.getTime() + session.end_at.getTime()) / 2;
  const localMs = middleMs + session.local_offset_minutes * MS_PER_MINUTE;
  const timeOfDayMs = ((localMs % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
  return timeOfDayMs >= NAP_FROM_MS && timeOfDayMs <= NAP_TO_MS;
}

/** Returns how an archived session was counted; undefined if its date keeps no source because the source was deleted. */
function archivedAs<Session extends RuleSession>(
  { archived_as: archived }: Session,
  { keptSource }: SleepRule<Session>,
): ArchivedAs | undefined {
  if (archived === null) return undefined;
  const isKept = (group: 'sleep' | 'naps') => keptSource?.(archived.date, group) !== undefined;
  return isKept('sleep') || isKept('naps') ? archived : undefined;
}

/**
 * Returns the dates of archived sessions and of their copies. A copy of several archived sessions joins the last night,
 * or the last nap if the archived sessions are all naps. A session never joins an archived night that keeps the
 * session's own source.
 */
function archivedDates<Session extends RuleSession>(
  ordered: readonly Session[],
  pairs: readonly CopyPair[],
  naps: ReadonlySet<Session>,
  rule: SleepRule<Session>,
): Map<Session, string> {
  const archived = new Map<Session, string>();
  for (const session of ordered) {
    const as = archivedAs(session, rule);
    if (as) archived.set(session, as.date);
  }
  const joined = new Map<Session, { date: string; isNap: boolean }>();
  for (const pair of pairs) {
    const [one, other] = pair.map((at) => ordered[at] as Session) as [Session, Session];
    if (archived.has(one) === archived.has(other)) continue;
    const [session, copy] = archived.has(one) ? [other, one] : [one, other];
    const date = archived.get(copy) as string;
    if (rule.keptSource?.(date, 'sleep') === rule.sourceOf(session.source_id).identity) continue;
    const isNap = naps.has(copy);
    const known = joined.get(session);
    if (!known || (known.isNap && !isNap) || (known.isNap === isNap && known.date < date)) {
      joined.set(session, { date, isNap });
    }
  }
  for (const [session, { date }] of joined) archived.set(session, date);
  return archived;
}

/**
 * Returns the new date of sessions whose copies end on different dates: the last date of the source that wins among the
 * copies.
 */
function* datesOfCopies<Session extends RuleSession>(
  copies: readonly (readonly Session[])[],
  naps: ReadonlySet<Session>,
  rule: SleepRule<Session>,
): Generator<void, Map<Session, string>> {
  const dates = new Map<Session, string>();
  for (const group of copies) {
    yield;
    if (group.every(({ wake_date: date }) => date === group[0]?.wake_date)) continue;
    const main = group.filter((session) => !naps.has(session));
    const { winner } = selectSleep(main.length > 0 ? main : group, rule);
    const last = winner?.sessions
      .map(({ wake_date: date }) => date)
      .toSorted()
      .at(-1);
    if (last !== undefined) for (const session of group) dates.set(session, last);
  }
  return dates;
}
