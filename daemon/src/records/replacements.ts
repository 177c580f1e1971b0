import {
  type RecordBatch,
  type ReplacementRecord,
  SAMPLE_KIND_CODE,
  type SleepSessionRecord,
  type WorkoutRecord,
} from '@healthd/model';
import type pg from 'pg';
import type { Deleted } from './deletions.js';
import { loadTimeline } from './offset-days.js';
import { compareKeys } from './samples/sample-comparison.js';
import { readSamples } from './samples/sample-reader.js';
import { localDayOf, type SampleRows } from './samples/sample-rows.js';
import { type ResolvedSource, storedKey } from './sources.js';
import { storableText } from './storable-text.js';

/** What the batch holds besides its replacements: what of a window stays. */
export interface Kept {
  /** In the order of the primary key. */
  rows: SampleRows;
  records: RecordBatch['records'];
  sources: Map<string, ResolvedSource>;
}

/**
 * Removes what is stored of the replaced windows and is not in the batch. Rows that are in both are not touched, so that
 * a window which is read again and again writes nothing while nothing changes.
 */
export async function applyReplacements(
  client: pg.ClientBase,
  userKey: number,
  kept: Kept,
  deleted: Deleted,
): Promise<void> {
  for (const record of kept.records) {
    if (record.kind !== 'replacement') continue;
    const sourceIds = await sourcesOfWriter(client, userKey, record);
    if (sourceIds.length === 0) continue;
    if (record.of === 'samples') await replaceSamples(client, userKey, record, sourceIds, kept.rows, deleted);
    else if (record.of === 'workouts') {
      const removed = await removeSessions(client, userKey, 'workout', record, sourceIds, kept);
      deleted.sessions += removed.length;
    } else {
      const removed = await removeSessions(client, userKey, 'sleep_session', record, sourceIds, kept);
      deleted.sessions += removed.length;
      deleted.wakeDates.push(...removed);
    }
  }
}

async function sourcesOfWriter(
  client: pg.ClientBase,
  userKey: number,
  { provider, writer }: ReplacementRecord,
): Promise<number[]> {
  const { rows } = await client.query<{ source_id: number }>(
    `select source_id from data_source
      where user_key = $1 and provider = $2 and (writer = $3 or starts_with(writer, $3 || '/')) order by source_id`,
    [userKey, provider, storableText(writer)],
  );
  return rows.map(({ source_id }) => source_id);
}

async function replaceSamples(
  client: pg.ClientBase,
  userKey: number,
  { typeIds, sampleKinds, localDays, startMs, endMs }: ReplacementRecord & { of: 'samples' },
  sourceIds: number[],
  rows: SampleRows,
  deleted: Deleted,
): Promise<void> {
  const ranges = typeIds.map((typeId) => ({ typeId, sourceIds, fromMs: startMs, toMs: endMs }));
  const stored = await readSamples(client, userKey, ranges);
  if (stored.length === 0) return;
  const kinds = sampleKinds && new Set(sampleKinds.map((kind): number => SAMPLE_KIND_CODE[kind]));
  const timeline = await loadTimeline(client, userKey, startMs, endMs);
  const isElsewhere = (row: number) => {
    if (localDays === undefined) return false;
    const day = localDayOf(stored, row, timeline);
    return day < localDays.firstDay || day >= localDays.endDay;
  };
  const gone: number[] = [];
  let next = 0;
  for (let row = 0; row < stored.length; row++) {
    if ((kinds && !kinds.has(stored.kind[row] as number)) || isElsewhere(row)) continue;
    while (next < rows.length && compareKeys(rows, next, stored, row) < 0) next++;
    if (next >= rows.length || compareKeys(rows, next, stored, row) !== 0) gone.push(row);
  }
  if (gone.length === 0) return;
  const { rowCount } = await client.query({
    name: 'records-remove-samples',
    text: REMOVE,
    values: [
      userKey,
      gone.map((row) => stored.typeId[row]),
      gone.map((row) => stored.startMs[row]),
      gone.map((row) => stored.sourceId[row]),
      gone.map((row) => stored.kind[row]),
    ],
  });
  deleted.samples += rowCount ?? 0;
  for (const row of gone) {
    deleted.days.add(stored.typeId[row] as number, stored.sourceId[row] as number, localDayOf(stored, row, timeline));
  }
}

const REMOVE = `
delete from sample s
 using unnest($2::smallint[], $3::float8[], $4::int[], $5::smallint[]) as gone (type_id, start_ms, source_id, kind)
 where s.user_key = $1 and s.type_id = gone.type_id and s.start_at = to_timestamp(gone.start_ms / 1000)
   and s.source_id = gone.source_id and s.kind = gone.kind`;

/** @returns the days on which the removed sessions ended */
async function removeSessions(
  client: pg.ClientBase,
  userKey: number,
  table: 'sleep_session' | 'workout',
  { startMs, endMs }: ReplacementRecord,
  sourceIds: number[],
  { records, sources }: Kept,
): Promise<string[]> {
  const kind = table === 'workout' ? 'workout' : 'sleep_session';
  const sessions = records.filter((record): record is SleepSessionRecord | WorkoutRecord => record.kind === kind);
  const day = table === 'workout' ? 'local_date' : 'wake_date';
  const { rows } = await client.query<{ day: string }>(
    `delete from ${table} s
      where s.user_key = $1 and s.source_id = any ($2::int[]) ${table === 'workout' ? '' : 'and not s.assembled'}
        and s.start_at >= to_timestamp($3::float8 / 1000) and s.start_at < to_timestamp($4::float8 / 1000)
        and not exists (
          select from unnest($5::int[], $6::text[], $7::float8[]) as kept (source_id, external_id, start_ms)
           where kept.source_id = s.source_id
             and case when kept.external_id is null
                      then s.external_id is null and s.start_at = to_timestamp(kept.start_ms / 1000)
                      else s.external_id = kept.external_id end)
     returning s.${day} as day`,
    [
      userKey,
      sourceIds,
      startMs,
      endMs,
      sessions.map(({ source }) => sources.get(storedKey(source))?.sourceId ?? null),
      sessions.map(({ externalId }) => (externalId === undefined ? null : storableText(externalId))),
      sessions.map((session) => session.startMs),
    ],
  );
  return rows.map((row) => row.day);
}
