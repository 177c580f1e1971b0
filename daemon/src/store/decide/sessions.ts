import { ITEM_LIMITS, MS_PER_DAY, type Rejected, TOO_MANY } from '@healthd/model';
import type { ArrivingSession, SessionKind, StoredSession } from '../facts/events/session-kind.js';
import { noCounts, type WriteCounts } from '../facts/item-counts.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { ChangedIds, DisplacedSession } from '../facts/write-result.js';
import { factsOf, SessionMatcher, secondKey } from './session-identity.js';

/** Stored sessions that a batch may change, and other facts for the decision. */
export interface SessionSnapshot {
  /** Stored sessions that may match arriving ones. */
  alike: readonly StoredSession[];
  timeline: OffsetTimeline;
  /** IDs of sessions whose end a replaced window changes. */
  corrected: ReadonlySet<string>;
  /** True if sessions only add missing data; sessions that are not stored are skipped. */
  completes: boolean;
  /** IDs for new sessions, one per row. */
  newIds: readonly string[];
  /** Numbers of stored sessions by source and night. undefined if nights have no limit. */
  nights?: ReadonlyMap<string, number> | undefined;
}

/** A session to write. */
type DecidedSession<Row> = Row & { id: string; endDate: string; before: StoredSession | undefined };

/** The sessions of a batch's items. */
export interface DecidedSessions<Row> {
  sessions: DecidedSession<Row>[];
  /** Number of sessions, including skipped ones. */
  count: number;
  rejected: Rejected[];
}

/**
 * Matches each item with its session. A correction keeps the ID. Items of one session count once; the last one wins.
 */
export function decideSessions<Row extends ArrivingSession>(
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { alike, timeline, corrected, completes, newIds, nights: storedNights }: SessionSnapshot,
): DecidedSessions<Row> {
  const matcher = new SessionMatcher(alike, kind.rule, ({ id }) => corrected.has(id));
  const seconds = new SecondCounts(alike);
  const nights = storedNights && new Map(storedNights);
  const merged = new Map<object, { row: Row; stored: StoredSession | undefined }>();
  const rejected: Rejected[] = [];
  for (const row of rows) {
    const ofNight = nights?.get(nightKey(row)) ?? 0;
    const isNightFull = ofNight >= ITEM_LIMITS.sessionsOfNight;
    const session = matcher.match(factsOf(kind, row), isNightFull || seconds.isFull(row));
    if (session === undefined) {
      rejected.push(tooMany(kind, row, isNightFull));
      continue;
    }
    const earlier = merged.get(session)?.row;
    if (!earlier && !session.stored) {
      seconds.add(row);
      nights?.set(nightKey(row), ofNight + 1);
    }
    const known = earlier ? overlaid(earlier, row) : row;
    merged.set(session, { row: { ...known, externalId: session.externalId }, stored: session.stored });
  }
  const written = [...merged.values()].filter(({ stored }) => !completes || stored);
  const sessions = written.map(({ row, stored }, index) => ({
    ...row,
    id: stored?.id ?? (newIds[index] as string),
    endDate: timeline.localDateOf(row.endMs, row.offsetMinutes ?? stored?.offsetMinutes),
    before: stored,
  }));
  return { sessions, count: merged.size, rejected };
}

/** Result of storing a batch's sessions. */
export interface StoredSessions {
  counts: WriteCounts;
  ids: ChangedIds;
  /** Current spans of the changed sessions. */
  changed: SourceSpan[];
  /** Former and current local end dates of the changed sessions. */
  endDates: Set<string>;
  /** Former positions of sessions that a correction moved. */
  moved: DisplacedSession[];
  /** Sessions of a full second. */
  rejected: Rejected[];
}

/** Returns the result of writing decided sessions. @param ids new or changed sessions */
export function writtenSessions<Row extends ArrivingSession>(
  { sessions, count, rejected }: DecidedSessions<Row>,
  ids: ChangedIds,
  completes: boolean,
): StoredSessions {
  const { inserted, updated } = ids;
  const changedIds = new Set([...inserted, ...updated]);
  const changed = sessions.filter(({ id }) => changedIds.has(id));
  const dates = changed.flatMap(({ before, endDate }) => [before?.endDate ?? endDate, endDate]);
  const moved = changed.flatMap(({ before, startMs }) =>
    before && before.startMs !== startMs && !completes ? displaced(before, false) : [],
  );
  return {
    ids,
    changed: changed.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs })),
    endDates: new Set(dates),
    moved,
    rejected,
    counts: { inserted: inserted.length, updated: updated.length, unchanged: count - changed.length },
  };
}

/** Initial value before any session is written. */
export function nothingStored(): StoredSessions {
  return {
    counts: noCounts(),
    ids: { inserted: [], updated: [] },
    changed: [],
    endDates: new Set(),
    moved: [],
    rejected: [],
  };
}

/** Adds the result of another call. */
export function addStored(
  all: StoredSessions,
  { counts, ids, changed, endDates, moved, rejected }: StoredSessions,
): void {
  all.counts.inserted += counts.inserted;
  all.counts.updated += counts.updated;
  all.counts.unchanged += counts.unchanged;
  for (const id of ids.inserted) all.ids.inserted.push(id);
  for (const id of ids.updated) all.ids.updated.push(id);
  for (const span of changed) all.changed.push(span);
  for (const date of endDates) all.endDates.add(date);
  for (const session of moved) all.moved.push(session);
  for (const item of rejected) all.rejected.push(item);
}

function tooMany<Row extends ArrivingSession>(
  { table }: SessionKind<Row>,
  { index = 0 }: Row,
  isNightFull: boolean,
): Rejected {
  const collection = table === 'workout' ? 'workouts' : 'sleep_sessions';
  const { sessionsOfNight, sessionsOfSecond } = ITEM_LIMITS;
  const detail = isNightFull ? `${sessionsOfNight} sessions of a night` : `${sessionsOfSecond} of a second`;
  return { kind: 'rejected', collection, index, field: 'start', code: TOO_MANY, detail };
}

/** Returns the session's night, which begins at noon UTC, in days since 1970. */
export function nightOf({ startMs }: Pick<ArrivingSession, 'startMs'>): number {
  return Math.floor(startMs / MS_PER_DAY - 0.5);
}

/** Identifies a source's night. */
function nightKey(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): string {
  return `${session.sourceId} ${nightOf(session)}`;
}

/** Counts a source's sessions that start in each second. */
class SecondCounts {
  private readonly counts = new Map<string, number>();

  constructor(stored: readonly StoredSession[]) {
    for (const session of stored) this.add(session);
  }

  add(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): void {
    const key = secondKey(session);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  isFull(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): boolean {
    return (this.counts.get(secondKey(session)) ?? 0) >= ITEM_LIMITS.sessionsOfSecond;
  }
}

/**
 * Returns the former position of a session that a write moves or deletes. Omits sessions without an ID, which a vendor
 * cannot identify.
 */
export function displaced({ externalId, startMs, endMs }: StoredSession, isGone: boolean): DisplacedSession[] {
  return externalId === undefined ? [] : [{ externalId, startMs, endMs, isGone }];
}

/** Returns the newer version, completed with data that only the older one has. */
function overlaid<Row extends object>(older: Row, newer: Row): Row {
  const known = Object.entries(newer).filter(([, value]) => value !== undefined);
  return { ...older, ...Object.fromEntries(known) };
}
