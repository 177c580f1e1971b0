import {
  addItems,
  BatchBuilder,
  batchOf,
  type DeletionRecord,
  GENDERS,
  type HealthRecord,
  type ItemCounts,
  isProviderId,
  rejectionReason,
  type SourceIdentity,
} from '@healthd/model';
import type pg from 'pg';
import type { RecordWriter } from '../store/write/index.js';
import { MIGRATED_DEVICE_ID, migratedSource, PROVIDER_SQL, type SourceRow } from './migrated-source.js';
import { isOlderVersion, readOlderVersions } from './older-versions.js';
import { readCycles, readWorkouts } from './read-events.js';
import { readArchive, readSamples } from './read-samples.js';
import { readScores, VENDORS_SCORE } from './read-scores.js';
import { readSleep } from './read-sleep.js';
import type { SourceDatabase } from './source-database.js';

/** Number of samples per transaction. A transaction blocks other writes for the user. */
const BATCH_SAMPLES = 20_000;

export interface HealthDataCopying {
  source: SourceDatabase;
  pool: pg.Pool;
  writer: RecordWriter;
  /** Series ID of this service by the source's series ID. */
  series: ReadonlyMap<number, number>;
  /** Numbers of items by outcome. */
  items: ItemCounts;
  /** Number of rejected items by reason. */
  rejected: Map<string, number>;
  /** Number of copied events and scores that were deleted because the source no longer has them. */
  removed: number;
  /** Called after each batch. */
  onProgress(): void;
}

/**
 * Copies all health data of one user through the writer. First deletes earlier copies of items that the source no
 * longer has. For example, the source replaces joined nights with one night under a new ID.
 */
export async function copyHealthData(copying: HealthDataCopying, user: { id: string; userKey: number }): Promise<void> {
  const sources = await readSources(copying.source, user.id);
  const olderVersions = await readOlderVersions(copying.source, [...sources.keys()]);
  const deletions = await deletedRecords(copying, user, [...sources.keys()], olderVersions);
  if (deletions.length > 0) await copying.writer.write(user.userKey, batchOf(deletions));
  copying.removed += deletions.length;
  const builder = new BatchBuilder(BATCH_SAMPLES);
  for await (const record of healthRecords(copying, user.id, sources, olderVersions)) {
    builder.add(record);
    if (builder.full) await write(copying, user.userKey, builder);
  }
  if (!builder.empty) await write(copying, user.userKey, builder);
}

async function write(copying: HealthDataCopying, userKey: number, builder: BatchBuilder): Promise<void> {
  const { items, rejected } = await copying.writer.write(userKey, builder.take());
  addItems(copying.items, items);
  for (const item of rejected) {
    const reason = `${item.collection}: ${rejectionReason(item)}`;
    copying.rejected.set(reason, (copying.rejected.get(reason) ?? 0) + 1);
  }
  copying.onProgress();
}

/** Yields samples before nights, so that each night is computed once, with all its measurements. */
async function* healthRecords(
  { source, series }: HealthDataCopying,
  userId: string,
  sources: ReadonlyMap<string, SourceIdentity>,
  olderVersions: readonly string[],
): AsyncGenerator<HealthRecord> {
  yield* readPersonal(source, userId);
  for (const [id, identity] of sources) {
    yield* readArchive(source, id, identity, series);
    yield* readSamples(source, id, identity, series);
  }
  yield* readSleep(source, sources, olderVersions);
  yield* readWorkouts(source, sources, olderVersions);
  yield* readCycles(source, sources, olderVersions);
  yield* readScores(source, userId, sources);
}

async function readSources(source: SourceDatabase, userId: string): Promise<Map<string, SourceIdentity>> {
  const rows = await source.query<SourceRow>(
    `select id, ${PROVIDER_SQL} as provider, device_model, source, device_type, software_version, original_source_name
       from data_source ds where user_id = $1 order by id`,
    [userId],
  );
  return new Map(
    rows.flatMap((row) => {
      const identity = migratedSource(row);
      return identity ? [[row.id, identity] as const] : [];
    }),
  );
}

async function* readPersonal(source: SourceDatabase, userId: string): AsyncGenerator<HealthRecord> {
  const rows = await source.query<{ birth_date: string | null; gender: string | null }>(
    'select birth_date::text, gender from personal_record where user_id = $1',
    [userId],
  );
  for (const { birth_date: birthDate, gender } of rows) {
    yield {
      kind: 'personal',
      birthDate: birthDate ?? undefined,
      gender: GENDERS.find((known) => known === gender),
    };
  }
}

/** Returns deletions for events and scores that an earlier run copied and that the source no longer has. */
async function deletedRecords(
  { source, pool }: HealthDataCopying,
  user: { id: string; userKey: number },
  sourceIds: readonly string[],
  olderVersions: readonly string[],
): Promise<DeletionRecord[]> {
  const copied = (table: string, of: DeletionRecord['of']) =>
    `select s.provider, t.external_id as id, '${of}' as of from ${table} t
       join data_source s on s.user_key = t.user_key and s.source_id = t.source_id
      where t.user_key = $1 and s.device_id = $2 and t.external_id is not null`;
  const { rows } = await pool.query<{ provider: string; id: string; of: 'session' | 'health_score' }>(
    [
      ...['sleep_session', 'workout', 'menstrual_cycle'].map((table) => copied(table, 'session')),
      copied('health_score', 'health_score'),
    ].join(' union all '),
    [user.userKey, MIGRATED_DEVICE_ID],
  );
  if (rows.length === 0) return [];
  const there = await source.query<{ id: string }>(
    `select e.id from event_record e where e.data_source_id = any ($1::uuid[]) and not ${isOlderVersion('$3')}
     union all select id from health_score where user_id = $2 and ${VENDORS_SCORE}`,
    [sourceIds, user.id, olderVersions],
  );
  const known = new Set(there.map(({ id }) => id));
  return rows.flatMap(({ provider, id, of }): DeletionRecord[] =>
    isProviderId(provider) && !known.has(id) ? [{ kind: 'deletion', provider, of, externalId: id }] : [],
  );
}
