import { randomUUID } from 'node:crypto';
import type { WriteContext } from '../write-context.js';
import type { DisplacedSession } from '../write-result.js';
import { loadAlike } from './alike-sessions.js';
import { upsertEvents } from './event-store.js';
import { SessionMatcher } from './session-identity.js';
import { factsOf } from './session-identity-row.js';
import type { ArrivingSession, SessionKind, SessionOptions, StoredSession, StoredSessions } from './session-kind.js';

/**
 * Stores sessions in place: a correction keeps the id, and what an item does not have leaves what is known. Items that
 * are one session count once; the last says what holds.
 */
export async function storeSessions<Row extends ArrivingSession>(
  { client, userKey, timeline }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { keepStored, completes = false, corrected }: SessionOptions,
): Promise<StoredSessions> {
  const alike = await loadAlike(client, userKey, kind, rows);
  const matcher = new SessionMatcher(alike, kind.rule, ({ id }) => corrected.has(id));
  const merged = new Map<object, { row: Row; stored: StoredSession | undefined }>();
  for (const row of rows) {
    const session = matcher.match(factsOf(kind, row));
    const earlier = merged.get(session)?.row;
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
    counts: { inserted: inserted.length, updated: updated.length, unchanged },
  };
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
