import { nightKey, nightOf, type WholeSession } from '../decide/sessions.js';
import { factsOf } from '../decide/session-identity.js';
import { selectedColumns, storedValues } from '../facts/events/event-columns.js';
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

/**
 * Loads the stored sessions with the id or start second of a row, in order of arrival. May include sessions of the rows'
 * other sources.
 */
export async function loadAlike<Row extends ArrivingSession>(
  context: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
): Promise<WholeSession[]> {
  const found = new Map<string, WholeSession & { createdAt: string }>();
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const session of await loadSome(context, kind, rows.slice(from, from + ROWS_AT_ONCE))) {
      found.set(session.id, session);
    }
    await context.turns.yieldIfLong();
  }
  const all = [...found.values()];
  if (rows.length <= ROWS_AT_ONCE) return all;
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return all.sort((a, b) => order(a.createdAt, b.createdAt) || order(a.id, b.id));
}

/**
 * Passes the rows as arrays, in which Postgres looks up each stored session. A join would compare each session with every
 * row while Postgres lacks statistics about the user's sessions.
 */
async function loadSome<Row extends ArrivingSession>(
  { client, userKey }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
): Promise<(WholeSession & { createdAt: string })[]> {
  const facts = rows.map((row) => factsOf(kind, row));
  const seconds = [...new Set(facts.map(({ startMs }) => Math.floor(startMs / 1000)))].sort((a, b) => a - b);
  const { rows: found } = await client.query<IdentityRow & { createdAt: string; whole: never }>(
    `select ${identityColumns(kind)}, s.created_at::text as "createdAt", ${wholeColumns(kind)}
       from ${kind.table} s
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
  return found.map((row) => ({
    ...storedSession(row),
    createdAt: row.createdAt,
    values: storedValues(kind.columns, row as unknown as Record<string, unknown>),
  }));
}

function wholeColumns(kind: SessionKind<never>): string {
  const identity = new Set(['source_id', 'external_id', 'offset_minutes']);
  return selectedColumns(kind.columns.filter(({ name }) => !identity.has(name)));
}

/**
 * Counts the stored sessions of each night around the rows, by source and night.
 * @param removed sessions that the batch deletes
 */
export async function countNights<Row extends ArrivingSession>(
  { client, userKey }: WriteContext,
  { table, ownRows }: SessionKind<Row>,
  rows: readonly Row[],
  removed: readonly StoredSession[],
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const nights = rows.map(nightOf).sort((a, b) => a - b);
  const { rows: found } = await client.query<{ key: string; count: number }>(
    `select s.source_id || ' ' || floor(extract(epoch from s.start_at) / 86400 - 0.5)::int as key, count(*)::int as count
       from ${table} s
      where s.user_key = $1 and ${ownRows} and s.source_id = any ($2::int[])
        and s.start_at >= to_timestamp(($3::int + 0.5) * 86400) and s.start_at < to_timestamp(($4::int + 1.5) * 86400)
      group by 1`,
    [userKey, [...new Set(rows.map(({ sourceId }) => sourceId))], nights[0], nights.at(-1)],
  );
  const counts = new Map(found.map(({ key, count }) => [key, count]));
  for (const session of removed) {
    const key = nightKey(session);
    const count = counts.get(key);
    if (count !== undefined) counts.set(key, count - 1);
  }
  return counts;
}
