import { ITEM_LIMITS, type Rejected, TOO_MANY } from '@healthd/model';
import type { ArrivingSession, SessionKind, StoredSession } from '../facts/events/session-kind.js';
import { noCounts, type WriteCounts } from '../facts/item-counts.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import type { ChangedIds, DisplacedSession } from '../facts/write-result.js';
import { factsOf, SessionMatcher, secondKey } from './session-identity.js';

/** What is stored of the sessions that a batch may bring, and what else decides about them. */
export interface SessionSnapshot {
  /** Stored sessions that arriving ones may be. */
  alike: readonly StoredSession[];
  timeline: OffsetTimeline;
  /** Ids of sessions that a replaced window gives with another end. */
  corrected: ReadonlySet<string>;
  /** Sessions give only what is not stored yet; those that are not stored are left out. */
  completes: boolean;
  /** Ids for new sessions, as many as rows. */
  newIds: readonly string[];
}

/** A session to write. */
type DecidedSession<Row> = Row & { id: string; endDate: string; before: StoredSession | undefined };

/** The sessions that the items of a batch are. */
export interface DecidedSessions<Row> {
  sessions: DecidedSession<Row>[];
  /** Number of sessions, including those that are left out. */
  count: number;
  rejected: Rejected[];
}

/**
 * Decides which session each item is. A correction keeps the id. Items that are one session count once; the last says what
 * holds.
 */
export function decideSessions<Row extends ArrivingSession>(
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { alike, timeline, corrected, completes, newIds }: SessionSnapshot,
): DecidedSessions<Row> {
  const matcher = new SessionMatcher(alike, kind.rule, ({ id }) => corrected.has(id));
  const seconds = new SecondCounts(alike);
  const merged = new Map<object, { row: Row; stored: StoredSession | undefined }>();
  const rejected: Rejected[] = [];
  for (const row of rows) {
    const session = matcher.match(factsOf(kind, row), seconds.isFull(row));
    if (session === undefined) {
      rejected.push(tooMany(kind, row));
      continue;
    }
    const earlier = merged.get(session)?.row;
    if (!earlier && !session.stored) seconds.add(row);
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

/** What became of the sessions of a batch. */
export interface StoredSessions {
  counts: WriteCounts;
  ids: ChangedIds;
  /** Where the changed sessions lie now. */
  changed: SourceSpan[];
  /** Local dates on which the changed sessions ended before, and end now. */
  endDates: Set<string>;
  /** Where sessions were that a correction moved. */
  moved: DisplacedSession[];
  /** Sessions of a second that has as many as there may be. */
  rejected: Rejected[];
}

/** What writing decided sessions came to. @param ids of those that are new or differ from what was stored */
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

/** Before any session was written. */
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

/** Adds what another call stored. */
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

function tooMany<Row extends ArrivingSession>({ table }: SessionKind<Row>, { index = 0 }: Row): Rejected {
  const collection = table === 'workout' ? 'workouts' : 'sleep_sessions';
  const detail = `${ITEM_LIMITS.sessionsOfSecond} of a second`;
  return { kind: 'rejected', collection, index, field: 'start', code: TOO_MANY, detail };
}

/** How many sessions of a source begin in a second. */
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

/** Where a session was that a write moves or removes; one without an id says nothing to a vendor. */
export function displaced({ externalId, startMs, endMs }: StoredSession, isGone: boolean): DisplacedSession[] {
  return externalId === undefined ? [] : [{ externalId, startMs, endMs, isGone }];
}

/** The newer of two versions, with what only the older one has. */
function overlaid<Row extends object>(older: Row, newer: Row): Row {
  const known = Object.entries(newer).filter(([, value]) => value !== undefined);
  return { ...older, ...Object.fromEntries(known) };
}
