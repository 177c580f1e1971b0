import type pg from 'pg';
import { factsOf, type IdentityRow, identityColumns, storedSession } from './session-identity-row.js';
import type { ArrivingSession, SessionKind, StoredSession } from './session-kind.js';

/**
 * Stored sessions with the id of one of the rows, or that begin in the same second as one; maybe also some of another of the rows' sources.
 * The rows come as arrays: Postgres looks each stored session up in them. It compares each with every row of a join while it does not know
 * how many sessions the user has.
 */
export async function loadAlike<Row extends ArrivingSession>(
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
