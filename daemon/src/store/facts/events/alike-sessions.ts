import type pg from 'pg';
import { factsOf, type IdentityRow, identityColumns, storedSession } from './session-identity-row.js';
import type { ArrivingSession, SessionKind, StoredSession } from './session-kind.js';

/** Stored sessions with the id of one of the rows, or that begin in the same second as one. */
export async function loadAlike<Row extends ArrivingSession>(
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
          from (select distinct * from unnest($2::int[], $3::text[]) as fresh (source_id, external_id)) fresh
          join ${kind.table} named on named.user_key = $1 and named.source_id = fresh.source_id
                                  and named.external_id = fresh.external_id
         union
        select begun.id
          from (select distinct * from unnest($2::int[], $4::float8[]) as fresh (source_id, second)) fresh
          join ${kind.table} begun on begun.user_key = $1 and begun.source_id = fresh.source_id
                                  and begun.start_at >= to_timestamp(fresh.second)
                                  and begun.start_at < to_timestamp(fresh.second + 1))
      order by s.created_at, s.id`,
    parameters,
  );
  return found.map(storedSession);
}
