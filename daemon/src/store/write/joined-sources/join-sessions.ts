import type pg from 'pg';
import { SessionMatcher } from '../../decide/session-identity.js';
import { CHANGE } from '../../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../../facts/changes.js';
import { type IdentityRow, identityColumns, storedSession } from '../../facts/events/session-kind.js';
import type { ArrivingSession, SessionKind, StoredSession } from '../../facts/events/session-kind.js';
import { WORKOUTS } from '../../facts/events/workouts.js';
import { VENDOR_SESSIONS } from '../../facts/sleep/vendor-sessions.js';
import type { SourcePair } from './pair.js';

/**
 * Moves the bundled source's workouts, vendors' nights, cycles and scores to the named source. Of two equal sessions,
 * the named source's session keeps its id. The version that was written last wins, and the other version fills its
 * missing fields. Equal cycles and scores of the bundled source are deleted.
 */
export async function joinSessions(client: pg.ClientBase, userKey: number, pair: SourcePair): Promise<void> {
  await joinOfKind(client, userKey, pair, WORKOUTS);
  await joinOfKind(client, userKey, pair, VENDOR_SESSIONS);
  for (const [table, identity] of OTHERS) {
    const values = [userKey, pair.namedId, pair.bundledId];
    const { rows: equal } = await client.query<ChangedRow>(
      `delete from ${table} s using ${table} named
        where s.user_key = $1 and s.source_id = $3 and named.user_key = $1 and named.source_id = $2 and ${identity}
       returning ${changedColumns(table)}`,
      values,
    );
    addChangedRows(client, userKey, table, CHANGE.replaced, equal);
    const { rows: moved } = await client.query<ChangedRow>(
      `update ${table} s set source_id = $2 where s.user_key = $1 and s.source_id = $3 returning ${changedColumns(table)}`,
      values,
    );
    addChangedRows(client, userKey, table, CHANGE.corrected, moved);
  }
}

const OTHERS = [
  ['menstrual_cycle', '(s.start_at = named.start_at or s.external_id = named.external_id)'],
  [
    'health_score',
    's.category = named.category and (s.recorded_at = named.recorded_at or s.external_id = named.external_id)',
  ],
] as const;

async function joinOfKind<Row extends ArrivingSession>(
  client: pg.ClientBase,
  userKey: number,
  { namedId, bundledId }: SourcePair,
  kind: SessionKind<Row>,
): Promise<void> {
  const { rows } = await client.query<IdentityRow>(
    `select ${identityColumns(kind)} from ${kind.table} s
      where s.user_key = $1 and ${kind.ownRows} and s.source_id in ($2, $3) order by s.created_at, s.id`,
    [userKey, namedId, bundledId],
  );
  const sessions = rows.map(storedSession);
  const matcher = new SessionMatcher<StoredSession>(kind.rule);
  for (const session of sessions) if (session.sourceId === namedId) matcher.addStored(session);
  const pairs: { bundled: string; named: string }[] = [];
  const moved: string[] = [];
  for (const session of sessions.filter(({ sourceId }) => sourceId === bundledId)) {
    const { stored } = matcher.match({ ...session, sourceId: namedId });
    if (stored) pairs.push({ bundled: session.id, named: stored.id });
    else moved.push(session.id);
  }
  if (pairs.length > 0) {
    const { rows: overlaid } = await client.query<
      ChangedRow & { former_date: string; bundled_id: string; bundled_date: string }
    >(overlay(kind), [userKey, pairs.map(({ bundled }) => bundled), pairs.map(({ named }) => named)]);
    // Records the former dates too, because the named session may take the bundled session's date.
    const former = overlaid.map((row) => ({ changed_id: row.changed_id, changed_date: row.former_date }));
    addChangedRows(client, userKey, kind.table, CHANGE.corrected, [...former, ...overlaid]);
    const deleted = overlaid.map((row) => ({ changed_id: row.bundled_id, changed_date: row.bundled_date }));
    addChangedRows(client, userKey, kind.table, CHANGE.replaced, deleted);
  }
  const { rows: kept } = await client.query<ChangedRow>(
    `update ${kind.table} s set source_id = $2 where s.user_key = $1 and s.id = any ($3::uuid[])
     returning ${changedColumns(kind.table)}`,
    [userKey, namedId, moved],
  );
  addChangedRows(client, userKey, kind.table, CHANGE.corrected, kept);
}

function overlay<Row extends ArrivingSession>({ table, columns, dateColumn }: SessionKind<Row>): string {
  const isBundled = 'bundled.updated_at > named.updated_at';
  const free = columns.filter(({ name }) => !['source_id', 'assembled', dateColumn].includes(name));
  const known = free.map(({ name, byMember }) => {
    const [newer, older] = [
      `case when ${isBundled} then bundled.${name} else named.${name} end`,
      `case when ${isBundled} then named.${name} else bundled.${name} end`,
    ];
    const joined = byMember ? `(${older}) || (${newer}), ` : '';
    return `${name} = coalesce(${joined}${newer}, ${older})`;
  });
  return `
with pairs as (
  select * from unnest($2::uuid[], $3::uuid[]) as pair (bundled_id, named_id)
), bundled as (
  delete from ${table} s using pairs where s.user_key = $1 and s.id = pairs.bundled_id returning s.*, pairs.named_id
)
update ${table} named
   set ${known.join(', ')}, updated_at = now(),
       ${dateColumn} = case when named.offset_minutes is null then bundled.${dateColumn} else named.${dateColumn} end
       ${table === 'workout' ? `, ${OF_WORKOUTS}` : ''}
  from bundled join ${table} former on former.user_key = $1 and former.id = bundled.named_id
 where named.user_key = $1 and named.id = bundled.named_id
returning named.id as changed_id, named.${dateColumn}::text as changed_date,
          former.${dateColumn}::text as former_date, bundled.id as bundled_id,
          bundled.${dateColumn}::text as bundled_date`;
}

/**
 * Uses the archived heart rates of the source with more of them. Does not add them, because both sources may have
 * archived the same heart rates.
 */
const OF_WORKOUTS = `
  archived_heart_rate_sum = case when bundled.archived_heart_rate_count > named.archived_heart_rate_count
                                 then bundled.archived_heart_rate_sum else named.archived_heart_rate_sum end,
  archived_heart_rate_max = greatest(bundled.archived_heart_rate_max, named.archived_heart_rate_max),
  archived_heart_rate_count = greatest(bundled.archived_heart_rate_count, named.archived_heart_rate_count)`;
