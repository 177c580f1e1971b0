import { ITEM_LIMITS, MS_PER_DAY, type Rejected, TOO_MANY } from '@healthd/model';
import { type EventValues, valuesOf } from '../facts/events/event-columns.js';
import type { WrittenEvent } from '../facts/events/event-store.js';
import type { ArrivingSession, SessionKind, StoredSession } from '../facts/events/session-kind.js';
import type { WriteCounts } from '../facts/item-counts.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { storableText } from '../facts/storable-text.js';
import type { ChangedIds, DisplacedSession } from '../facts/write-result.js';
import { decideEvents, mergedValues } from './events.js';
import { factsOf, SessionMatcher, secondKey } from './session-identity.js';

/** A stored session with all of its columns. */
export interface WholeSession extends StoredSession {
  values: EventValues;
}

/** Stored sessions that a batch may change, and other facts for the decision. */
export interface SessionSnapshot {
  /** Stored sessions that may match arriving sessions, in order of arrival. */
  alike: readonly WholeSession[];
  /** Numbers of stored sessions by source and night; undefined if nights have no limit. */
  nights: ReadonlyMap<string, number> | undefined;
  /** Ids of sessions whose end a replaced window changes. */
  corrected: ReadonlySet<string>;
  /** Ids for new sessions, one per row of all passes. */
  newIds: readonly string[];
}

/** Rows that combine with stored sessions in one way. A pass sees the sessions of the passes before it. */
export interface SessionPass<Row> {
  rows: readonly Row[];
  /** True to leave stored sessions unchanged. */
  keepStored: boolean;
  /** True to fill only missing values of known sessions. Rows of unknown sessions are skipped. */
  completes: boolean;
}

/** Outcome of a batch's sessions. */
export interface DecidedSessions {
  written: WrittenEvent[];
  counts: WriteCounts;
  ids: ChangedIds;
  /** Current spans of the changed sessions. */
  changed: SourceSpan[];
  /** Former and current local end dates of the changed sessions. */
  endDates: string[];
  /** Former spans of sessions whose start a correction moved. */
  moved: DisplacedSession[];
  /** Sessions beyond the limit of a second or night. */
  rejected: Rejected[];
}

/** State of a session after the previous passes. */
interface CurrentSession extends WholeSession {
  /** The stored session before the batch; undefined for a new session. */
  before: WholeSession | undefined;
}

/** Number of rows processed between two yields to the event loop. */
const ROWS_AT_ONCE = 500;

/**
 * Matches each item with its session. A correction keeps the id. Items of one session are its versions: the later
 * version counts, and the earlier version fills its unknown values.
 */
export function* decideSessions<Row extends ArrivingSession>(
  kind: SessionKind<Row>,
  passes: readonly SessionPass<Row>[],
  { alike, nights, corrected, newIds }: SessionSnapshot,
  timeline: OffsetTimeline,
): Generator<void, DecidedSessions> {
  const current = new Map<string, CurrentSession>();
  const limits = new SessionLimits(nights);
  for (const [index, session] of alike.entries()) {
    if (index % ROWS_AT_ONCE === 0) yield;
    current.set(session.id, { ...session, before: session });
    limits.addSecond(session);
  }
  const touched = new Set<string>();
  const rejected: Rejected[] = [];
  let count = 0;
  let nextId = 0;
  for (const { rows, keepStored, completes } of passes) {
    if (rows.length === 0) continue;
    const matcher = new SessionMatcher<CurrentSession>(kind.rule);
    let at = 0;
    for (const session of current.values()) {
      if (at++ % ROWS_AT_ONCE === 0) yield;
      matcher.addStored(session, corrected.has(session.id));
    }
    const versions = new Map<object, Arriving<Row>>();
    for (const row of rows) {
      // Yields after each row, because a session may have long lists.
      yield;
      const full = limits.exceededBy(row);
      const session = matcher.match(factsOf(kind, row), full !== undefined);
      if (session === undefined) {
        rejected.push(tooMany(kind, row, full === 'night'));
        continue;
      }
      const ownRow = { ...row, externalId: session.externalId };
      // Leaves the end date empty, because it follows from all rows of the session.
      const values = valuesOf(kind.columns, { ...ownRow, endDate: '' });
      const earlier = versions.get(session);
      if (earlier) {
        earlier.row = overlaid(earlier.row, ownRow);
        earlier.values = mergedValues(kind.columns, earlier.values, values, 'complete');
        continue;
      }
      if (!session.stored) limits.add(row);
      versions.set(session, { row: ownRow, values, known: session.stored });
    }
    for (const version of versions.values()) {
      yield;
      const { known } = version;
      if (completes && !known) {
        count++;
        continue;
      }
      const id = known?.id ?? (newIds[nextId++] as string);
      if (!touched.has(id)) count++;
      touched.add(id);
      if (known && keepStored) continue;
      current.set(id, nextVersion(kind, version, { id, completes, timeline }));
    }
  }
  yield;
  const sessions = [...touched].map((id) => current.get(id) as CurrentSession);
  return yield* outcomeOf(kind, sessions, count, rejected);
}

/** Rows of one session, combined. */
interface Arriving<Row> {
  row: Row;
  /** Without the end date. */
  values: EventValues;
  known: CurrentSession | undefined;
}

/** Combines the rows of one session with its known version. */
function nextVersion<Row extends ArrivingSession>(
  kind: SessionKind<Row>,
  { row, values: arriving, known }: Arriving<Row>,
  { id, completes, timeline }: { id: string; completes: boolean; timeline: OffsetTimeline },
): CurrentSession {
  const offsetMinutes = row.offsetMinutes ?? known?.offsetMinutes;
  const date = timeline.localDateOf(row.endMs, offsetMinutes);
  const own = { ...arriving, external_id: textOf(row.externalId), [kind.dateColumn]: date };
  const values = known ? mergedValues(kind.columns, known.values, own, completes ? 'fill' : 'complete') : own;
  const facts =
    completes && known
      ? { ...known, externalId: known.externalId ?? row.externalId }
      : { ...factsOf(kind, row), offsetMinutes };
  return { ...facts, id, endDate: values[kind.dateColumn] as string, values, before: known?.before };
}

function textOf(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

function* outcomeOf<Row extends ArrivingSession>(
  kind: SessionKind<Row>,
  sessions: readonly CurrentSession[],
  count: number,
  rejected: Rejected[],
): Generator<void, DecidedSessions> {
  const events = sessions.map(({ id, values, before }) => ({ id, values, stored: before?.values }));
  const { written, ids } = yield* decideEvents(kind.columns, events, 'replace');
  const { inserted, updated } = ids;
  yield;
  const changedIds = new Set([...inserted, ...updated]);
  const changed = sessions.filter(({ id }) => changedIds.has(id));
  yield;
  return {
    written,
    ids,
    counts: { inserted: inserted.length, updated: updated.length, unchanged: count - changed.length },
    changed: changed.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs })),
    endDates: changed.flatMap(({ before, endDate }) => [before?.endDate ?? endDate, endDate]),
    moved: changed.flatMap(({ before, startMs }) =>
      before && before.startMs !== startMs ? displaced(before, false) : [],
    ),
    rejected,
  };
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

/** Returns a session's night in days since 1970. A night starts at noon UTC. */
export function nightOf({ startMs }: Pick<ArrivingSession, 'startMs'>): number {
  return Math.floor(startMs / MS_PER_DAY - 0.5);
}

/** Identifies a source's night. */
export function nightKey(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): string {
  return `${session.sourceId} ${nightOf(session)}`;
}

/** Counts the sessions of each source by second and night. */
class SessionLimits {
  readonly #seconds = new Map<string, number>();
  readonly #nights: Map<string, number> | undefined;

  /** @param nights stored sessions by night, see {@link SessionSnapshot} */
  constructor(nights: ReadonlyMap<string, number> | undefined) {
    this.#nights = nights && new Map(nights);
  }

  /** Counts a stored session in its second, but not in its night, because the night's stored count includes it. */
  addSecond(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): void {
    this.#count(this.#seconds, secondKey(session));
  }

  add(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): void {
    this.addSecond(session);
    if (this.#nights) this.#count(this.#nights, nightKey(session));
  }

  /** Returns the limit that an additional session would exceed. */
  exceededBy(session: Pick<ArrivingSession, 'sourceId' | 'startMs'>): 'night' | 'second' | undefined {
    if ((this.#nights?.get(nightKey(session)) ?? 0) >= ITEM_LIMITS.sessionsOfNight) return 'night';
    return (this.#seconds.get(secondKey(session)) ?? 0) >= ITEM_LIMITS.sessionsOfSecond ? 'second' : undefined;
  }

  #count(counts: Map<string, number>, key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

/**
 * Returns the former span of a session that a write moves or deletes. Returns an empty list for a session without an
 * ID, because a vendor cannot identify it.
 */
export function displaced({ externalId, startMs, endMs }: StoredSession, isDeleted: boolean): DisplacedSession[] {
  return externalId === undefined ? [] : [{ externalId, startMs, endMs, isGone: isDeleted }];
}

/** Returns the newer version, completed with data that only the older version has. */
function overlaid<Row extends object>(older: Row, newer: Row): Row {
  const known = Object.entries(newer).filter(([, value]) => value !== undefined);
  return { ...older, ...Object.fromEntries(known) };
}
