import { randomUUID } from 'node:crypto';
import { ITEM_LIMITS, type Rejected, TOO_MANY } from '@healthd/model';
import { noCounts } from '../item-counts.js';
import type { WriteContext } from '../write-context.js';
import type { DisplacedSession } from '../write-result.js';
import { loadAlike } from './alike-sessions.js';
import { upsertEvents } from './event-store.js';
import { SessionMatcher, secondKey } from './session-identity.js';
import { factsOf } from './session-identity-row.js';
import type { ArrivingSession, SessionKind, SessionOptions, StoredSession, StoredSessions } from './session-kind.js';

/** Keep the work between two statements short. */
const ROWS_AT_ONCE = 1_000;
const PARTS_AT_ONCE = 5_000;

/**
 * Stores sessions in place: a correction keeps the id, and what an item does not have leaves what is known. Items that
 * are one session count once; the last says what holds.
 */
export async function storeSessions<Row extends ArrivingSession>(
  context: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  options: SessionOptions,
): Promise<StoredSessions> {
  const all = nothingStored();
  for (const portion of portionsOf(kind, rows)) {
    addStored(all, await storePortion(context, kind, portion, options));
    await context.turns.yieldIfLong();
  }
  return all;
}

function* portionsOf<Row extends ArrivingSession>(
  { partsOf = () => 0 }: SessionKind<Row>,
  rows: readonly Row[],
): Generator<Row[]> {
  let portion: Row[] = [];
  let parts = 0;
  for (const row of rows) {
    portion.push(row);
    parts += partsOf(row);
    if (portion.length < ROWS_AT_ONCE && parts < PARTS_AT_ONCE) continue;
    yield portion;
    portion = [];
    parts = 0;
  }
  if (portion.length > 0) yield portion;
}

function nothingStored(): StoredSessions {
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

async function storePortion<Row extends ArrivingSession>(
  { client, userKey, timeline }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { keepStored, completes = false, corrected, isPushed }: SessionOptions,
): Promise<StoredSessions> {
  const alike = await loadAlike(client, userKey, kind, rows);
  const matcher = new SessionMatcher(alike, kind.rule, ({ id }) => corrected.has(id));
  const seconds = new SecondCounts(alike);
  const merged = new Map<object, { row: Row; stored: StoredSession | undefined }>();
  const rejected: Rejected[] = [];
  for (const row of rows) {
    const facts = factsOf(kind, row);
    const session = matcher.match(facts, seconds.isFull(row));
    if (session === undefined) {
      rejected.push(tooMany(kind, row));
      continue;
    }
    const earlier = merged.get(session)?.row;
    if (!earlier && !session.stored) seconds.add(row);
    const known = earlier ? overlaid(earlier, row) : row;
    merged.set(session, { row: { ...known, externalId: session.externalId }, stored: session.stored });
  }
  const stored = [...merged.values()].filter((one) => !completes || one.stored);
  const dated = stored.map(({ row, stored }) => ({
    ...row,
    id: stored?.id ?? randomUUID(),
    endDate: timeline.localDateOf(row.endMs, row.offsetMinutes ?? stored?.offsetMinutes),
    before: stored,
  }));
  const ids = await upsertEvents(
    client,
    userKey,
    {
      name: kind.table,
      target: '(user_key, id)',
      identity: ['id'],
      keepStored,
      keepKnown: true,
      completes,
      columns: [{ name: 'id', type: 'uuid', value: ({ id }) => id }, ...kind.columns],
    },
    dated,
  );
  if (isPushed && dated.length > 0) await kind.markPushed?.(client, userKey, dated);
  const { inserted, updated } = ids;
  const changedIds = new Set([...inserted, ...updated]);
  const changed = dated.filter(({ id }) => changedIds.has(id));
  const dates = changed.flatMap(({ before, endDate }) => [before?.endDate ?? endDate, endDate]);
  const moved = changed.flatMap(({ before, startMs }) =>
    before && before.startMs !== startMs && !completes ? displaced(before, false) : [],
  );
  const unchanged = merged.size - changed.length;
  return {
    ids,
    changed: changed.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs })),
    endDates: new Set(dates),
    moved,
    rejected,
    counts: { inserted: inserted.length, updated: updated.length, unchanged },
  };
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
