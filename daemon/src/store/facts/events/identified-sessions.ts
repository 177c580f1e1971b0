import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { SourceSpan } from '../sleep/source-span.js';
import { storableText } from '../storable-text.js';
import type { WriteContext } from '../write-context.js';
import type { ChangedIds, DisplacedSession, WriteCounts } from '../write-result.js';
import { type EventColumn, upsertEvents } from './event-store.js';
import { type IdentityRule, type SessionFacts, SessionMatcher } from './session-identity.js';

/** What an arriving workout or night has, beside its details. */
export interface ArrivingSession {
  sourceId: number;
  externalId?: string;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
}

/** How workouts, or the nights that vendors assembled themselves, are stored. */
export interface SessionKind<Row extends ArrivingSession> {
  table: 'workout' | 'sleep_session';
  /** Column of the local date on which a session ends. */
  dateColumn: 'local_date' | 'wake_date';
  /** SQL of {@link SessionFacts.variant}, and the same of an arriving row. */
  variantSql: string;
  variant(row: Row): string;
  /** SQL condition of the table's rows that are of this kind. */
  ownRows: string;
  rule: IdentityRule;
  columns: EventColumn<Row & { endDate: string }>[];
}

export interface StoredSession extends SessionFacts {
  id: string;
  offsetMinutes?: number;
  endDate: string;
}

export interface StoredSessions {
  counts: WriteCounts;
  ids: ChangedIds;
  /** Where the changed sessions lie now. */
  changed: SourceSpan[];
  /** Local dates on which the changed sessions ended before, and end now. */
  endDates: Set<string>;
  /** Where sessions were that a correction moved. */
  moved: DisplacedSession[];
}

/** How arriving sessions meet those that are stored. */
export interface SessionOptions {
  /** Sessions that are stored already stay as they are. */
  keepStored: boolean;
  /** Ids of sessions that a replaced window gives with another end. */
  corrected: ReadonlySet<string>;
}

/**
 * Stores sessions in place: a correction keeps the id, and what an item does not have leaves what is known. Items that
 * are one session count once; the last says what holds.
 */
export async function storeSessions<Row extends ArrivingSession>(
  { client, userKey, timeline }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { keepStored, corrected }: SessionOptions,
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
  const dated = [...merged.values()].map(({ row, stored }) => ({
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
      columns: [{ name: 'id', type: 'uuid', value: ({ id }) => id }, ...kind.columns],
    },
    dated,
  );
  const { inserted, updated } = ids;
  const changedIds = new Set([...inserted, ...updated]);
  const changed = dated.filter(({ id }) => changedIds.has(id));
  const dates = changed.flatMap(({ before, endDate }) => [before?.endDate ?? endDate, endDate]);
  const moved = changed.flatMap(({ before, startMs }) =>
    before && before.startMs !== startMs ? displaced(before, false) : [],
  );
  const unchanged = dated.length - changed.length;
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

/** What identity follows, as the table holds it. */
export function factsOf<Row extends ArrivingSession>(kind: SessionKind<Row>, row: Row): SessionFacts {
  const { sourceId, startMs, endMs, externalId } = row;
  const name = externalId === undefined ? undefined : storableText(externalId);
  return { sourceId, startMs, endMs, externalId: name, variant: kind.variant(row) };
}

/** The columns of a session that identity follows. */
export function identityColumns(kind: Pick<SessionKind<never>, 'dateColumn' | 'variantSql'>): string {
  return `s.id, s.source_id, s.external_id, extract(epoch from s.start_at)::float8 * 1000 as start_ms,
          extract(epoch from s.end_at)::float8 * 1000 as end_ms, s.offset_minutes, s.${kind.dateColumn}::text as end_date,
          ${kind.variantSql} as variant`;
}

export interface IdentityRow {
  id: string;
  source_id: number;
  external_id: string | null;
  start_ms: number;
  end_ms: number;
  offset_minutes: number | null;
  end_date: string;
  variant: string;
}

export function storedSession(row: IdentityRow): StoredSession {
  return {
    id: row.id,
    sourceId: row.source_id,
    externalId: row.external_id ?? undefined,
    startMs: Math.round(row.start_ms),
    endMs: Math.round(row.end_ms),
    offsetMinutes: row.offset_minutes ?? undefined,
    endDate: row.end_date,
    variant: row.variant,
  };
}

/** Stored sessions with the id of one of the rows, or that begin in the same second as one. */
async function loadAlike<Row extends ArrivingSession>(
  client: pg.ClientBase,
  userKey: number,
  kind: SessionKind<Row>,
  rows: readonly Row[],
): Promise<StoredSession[]> {
  if (rows.length === 0) return [];
  const facts = rows.map((row) => factsOf(kind, row));
  const parameters = [
    userKey,
    facts.map(({ sourceId }) => sourceId),
    facts.map(({ externalId }) => externalId ?? null),
    facts.map(({ startMs }) => Math.floor(startMs / 1000)),
  ];
  const { rows: found } = await client.query<IdentityRow>(
    `select ${identityColumns(kind)} from ${kind.table} s
      where s.user_key = $1 and ${kind.ownRows} and s.id in (
        select named.id
          from unnest($2::int[], $3::text[]) as fresh (source_id, external_id)
          join ${kind.table} named on named.user_key = $1 and named.source_id = fresh.source_id
                                  and named.external_id = fresh.external_id
         union
        select begun.id
          from unnest($2::int[], $4::float8[]) as fresh (source_id, second)
          join ${kind.table} begun on begun.user_key = $1 and begun.source_id = fresh.source_id
                                  and begun.start_at >= to_timestamp(fresh.second)
                                  and begun.start_at < to_timestamp(fresh.second + 1))
      order by s.created_at, s.id`,
    parameters,
  );
  return found.map(storedSession);
}

/** The newer of two versions, with what only the older one has. */
function overlaid<Row extends object>(older: Row, newer: Row): Row {
  const known = Object.entries(newer).filter(([, value]) => value !== undefined);
  return { ...older, ...Object.fromEntries(known) };
}
