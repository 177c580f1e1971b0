import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { factsOf } from '../decide/session-identity.js';
import {
  addStored,
  decideSessions,
  nightOf,
  nothingStored,
  type StoredSessions,
  writtenSessions,
} from '../decide/sessions.js';
import { upsertEvents } from '../facts/events/event-store.js';
import {
  type ArrivingSession,
  type IdentityRow,
  identityColumns,
  type SessionKind,
  type StoredSession,
  storedSession,
} from '../facts/events/session-kind.js';
import type { WriteContext } from '../facts/write-context.js';

/** Limits the work between two statements. */
const ROWS_AT_ONCE = 1_000;
const PARTS_AT_ONCE = 5_000;

/** Rules for merging new sessions with stored ones. */
export interface SessionOptions {
  /** True to leave stored sessions unchanged. */
  keepStored: boolean;
  /** True to only fill missing fields of stored sessions and skip new sessions. */
  completes?: boolean;
  /** True if a push wrote the sessions. */
  isPushed?: boolean;
  /** Ids of sessions that a replaced window contains with another end. */
  corrected: ReadonlySet<string>;
}

/** Updates sessions in place and keeps stored values of missing fields. */
export async function storeSessions<Row extends ArrivingSession>(
  { client, userKey, timeline, turns }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { keepStored, completes = false, corrected, isPushed }: SessionOptions,
): Promise<StoredSessions> {
  const all = nothingStored();
  for (const portion of portionsOf(kind, rows)) {
    const alike = await loadAlike(client, userKey, kind, portion);
    const newIds = portion.map(() => randomUUID());
    const nights = kind.table === 'sleep_session' ? await countNights(client, userKey, kind, portion) : undefined;
    const decided = decideSessions(kind, portion, { alike, timeline, corrected, completes, newIds, nights });
    const table = {
      name: kind.table,
      target: '(user_key, id)',
      identity: ['id'],
      keepStored,
      keepKnown: true,
      completes,
      columns: [{ name: 'id', type: 'uuid' as const, value: ({ id }: { id: string }) => id }, ...kind.columns],
    };
    const ids = await upsertEvents(client, userKey, table, decided.sessions);
    if (isPushed && decided.sessions.length > 0) await kind.markPushed?.(client, userKey, decided.sessions);
    addStored(all, writtenSessions(decided, ids, completes));
    await turns.yieldIfLong();
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

/** Counts the stored sessions of each night around the rows, by source and night. */
async function countNights<Row extends ArrivingSession>(
  client: pg.ClientBase,
  userKey: number,
  { table, ownRows }: SessionKind<Row>,
  rows: readonly Row[],
): Promise<Map<string, number>> {
  const nights = rows.map(nightOf).sort((a, b) => a - b);
  const { rows: counts } = await client.query<{ key: string; count: number }>(
    `select s.source_id || ' ' || floor(extract(epoch from s.start_at) / 86400 - 0.5)::int as key, count(*)::int as count
       from ${table} s
      where s.user_key = $1 and ${ownRows} and s.source_id = any ($2::int[])
        and s.start_at >= to_timestamp(($3::int + 0.5) * 86400) and s.start_at < to_timestamp(($4::int + 1.5) * 86400)
      group by 1`,
    [userKey, [...new Set(rows.map(({ sourceId }) => sourceId))], nights[0], nights.at(-1)],
  );
  return new Map(counts.map(({ key, count }) => [key, count]));
}

/**
 * Finds stored sessions with the id or start second of a row. May include sessions of the rows' other sources. Passes
 * the rows as arrays, in which Postgres looks each stored session up. A join would compare each session with every row
 * while Postgres lacks statistics about the user's sessions.
 */
async function loadAlike<Row extends ArrivingSession>(
  client: pg.ClientBase,
  userKey: number,
  kind: SessionKind<Row>,
  rows: readonly Row[],
): Promise<StoredSession[]> {
  if (rows.length === 0) return [];
  const facts = rows.map((row) => factsOf(kind, row));
  const seconds = [...new Set(facts.map(({ startMs }) => Math.floor(startMs / 1000)))].sort((a, b) => a - b);
  const { rows: found } = await client.query<IdentityRow>(
    `select ${identityColumns(kind)} from ${kind.table} s
      where s.user_key = $1 and ${kind.ownRows} and s.source_id = any ($2::int[])
        and (s.external_id = any ($3::text[])
             or (s.start_at >= to_timestamp($5::float8) and s.start_at < to_timestamp($6::float8)
                 and floor(extract(epoch from s.start_at))::float8 = any ($4::float8[])))
      order by s.created_at, s.id`,
    [
      userKey,
      [...new Set(facts.map(({ sourceId }) => sourceId))],
      [...new Set(facts.flatMap(({ externalId }) => externalId ?? []))],
      seconds,
      seconds[0],
      (seconds.at(-1) as number) + 1,
    ],
  );
  return found.map(storedSession);
}
