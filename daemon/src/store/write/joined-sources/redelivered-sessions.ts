import type { HealthRecord, WorkoutRecord } from '@healthd/model';
import type pg from 'pg';
import { TombstoneIndex } from '../../decide/tombstones.js';
import { identityOf } from '../../facts/sources/app-source.js';
import { storedKey } from '../../facts/sources/stored-source.js';
import { loadTombstones, type Tombstone } from '../../facts/tombstones.js';
import type { SourcePair } from './pair.js';

/** A session that was deleted under one of two joined sources and is stored under the other. */
export interface RedeliveredSession {
  table: 'workout' | 'sleep_session';
  id: string;
  tombstone: Tombstone;
  /** True if it was first stored after the deletion. */
  cameAfter: boolean;
}

/** Returns the sessions of the joined source that one of its tombstones covers. */
export async function findRedeliveredSessions(
  client: pg.ClientBase,
  userKey: number,
  { named, namedId }: SourcePair,
): Promise<RedeliveredSession[]> {
  const source = identityOf(named);
  const key = storedKey(source);
  const tombstones = (await loadTombstones(client, userKey)).filter(({ sourceKey }) => sourceKey === key);
  if (tombstones.length === 0) return [];
  const { rows } = await client.query<{
    table: RedeliveredSession['table'];
    id: string;
    type: WorkoutRecord['type'];
    external_id: string | null;
    start_ms: number;
    end_ms: number;
    created_at: Date;
  }>(SESSIONS, [userKey, namedId]);
  const index = new TombstoneIndex(tombstones);
  return rows.flatMap((row): RedeliveredSession[] => {
    const facts = { source, startMs: row.start_ms, endMs: row.end_ms, externalId: row.external_id ?? undefined };
    const record: HealthRecord =
      row.table === 'workout' ? { ...facts, kind: 'workout', type: row.type } : { ...facts, kind: 'sleep_session' };
    const tombstone = index.covering(record);
    if (!tombstone) return [];
    return [{ table: row.table, id: row.id, tombstone, cameAfter: row.created_at > tombstone.deletedAt }];
  });
}

const SESSIONS = `
select 'workout' as table, id, type, external_id, extract(epoch from start_at)::float8 * 1000 as start_ms,
       extract(epoch from end_at)::float8 * 1000 as end_ms, created_at
  from workout where user_key = $1 and source_id = $2
 union all
select 'sleep_session', id, null, external_id, extract(epoch from start_at)::float8 * 1000,
       extract(epoch from end_at)::float8 * 1000, created_at
  from sleep_session where user_key = $1 and source_id = $2`;
