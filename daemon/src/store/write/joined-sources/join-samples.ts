import {
  brokenBound,
  hashOfSlot,
  isOfUnknownId,
  type RecordBatch,
  SLOT_ID_BITS,
  SLOT_UNKNOWN_ID_BIT,
} from '@healthd/model';
import type pg from 'pg';
import { ONE_LOOK_EACH } from '../../../platform/database/index.js';
import { CHANGE } from '../../facts/change.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import { listIdsOfRows } from '../../facts/pushed/pushed-samples.js';
import { SAMPLE_VALUE, sampleRow } from '../../facts/samples/sample-batch-columns.js';
import { readSamples } from '../../facts/samples/sample-reader.js';
import { localDayOf, rowsWhere, type SampleRows, takeRows } from '../../facts/samples/sample-rows.js';
import { identityOf } from '../../facts/sources/app-source.js';
import type { WriteContext } from '../../facts/write-context.js';
import { writeBatches } from '../batch-write.js';
import { loadContext } from '../load-context.js';
import { refreshRollUps } from '../roll-up-invalidations.js';
import type { RecordWriterOptions, WriteOptions } from '../write-options.js';
import { deleteRows } from './delete-rows.js';
import { joinArchivedDays } from './join-archive.js';
import type { SourcePair } from './pair.js';

/** Number of one series' samples moved per transaction. Limits memory and how long the user's row is locked. */
const AT_ONCE = 20_000;

/**
 * Moves a chunk of the bundled source's samples to the named source, through the same comparison as new samples.
 * @returns false if the bundled source has no series left to move
 */
export async function joinSamples(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  how: RecordWriterOptions,
): Promise<boolean> {
  const typeId = await firstSeries(client, userKey, pair.bundledId);
  if (typeId === undefined) return false;
  const archived = await joinArchivedDays(client, userKey, pair, typeId, how.sleepEndGapMinutes);
  if (archived) {
    await moveRows(client, userKey, pair, archived.stayed, how, { isMove: true });
    await refreshDaysOf(archived.context, pair, archived.stayed);
    return true;
  }
  const range = await oldestRange(client, userKey, pair.bundledId, typeId);
  if (range) await moveRange(client, userKey, pair, { typeId, ...range }, how);
  else await forgetRollUps(client, userKey, pair.bundledId, typeId);
  return true;
}

/** Returns the source's first series with roll-ups. Every sample has a roll-up. */
async function firstSeries(client: pg.ClientBase, userKey: number, sourceId: number): Promise<number | undefined> {
  const { rows } = await client.query<{ type_id: number }>(
    'select type_id from day_value where user_key = $1 and source_id = $2 order by type_id limit 1',
    [userKey, sourceId],
  );
  return rows[0]?.type_id;
}

async function oldestRange(client: pg.ClientBase, userKey: number, sourceId: number, typeId: number) {
  const { rows } = await client.query<{ ms: number }>(
    `select floor(extract(epoch from start_at) * 1000)::float8 as ms from sample
      where user_key = $1 and type_id = $2 and source_id = $3 order by start_at limit ${AT_ONCE + 1}`,
    [userKey, typeId, sourceId],
  );
  const first = rows[0];
  if (!first) return undefined;
  const next = rows[AT_ONCE]?.ms ?? (rows.at(-1) as { ms: number }).ms + 1;
  return { fromMs: first.ms, toMs: Math.max(next, first.ms + 1) };
}

async function moveRange(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  range: { typeId: number; fromMs: number; toMs: number },
  how: RecordWriterOptions,
): Promise<void> {
  const { typeId, fromMs, toMs } = range;
  const bundled = await readSamples(client, userKey, [{ ...range, sourceIds: [pair.bundledId] }]);
  await moveRows(
    client,
    userKey,
    pair,
    rowsOf(bundled, (row) => !isImplausible(bundled, row)),
    how,
  );
  await client.query(MOVE_REST, [userKey, typeId, pair.namedId, pair.bundledId, fromMs, toMs]);
  await client.query(DELETE_REST, [userKey, typeId, pair.bundledId, fromMs, toMs]);
  await refreshDaysOf(await loadContext(client, userKey, how.sleepEndGapMinutes, range), pair, bundled);
}

/** @param options rules for merging the samples with the named source's samples */
async function moveRows(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  moved: SampleRows,
  how: RecordWriterOptions,
  options: WriteOptions = {},
): Promise<void> {
  if (moved.length === 0) return;
  await listIdsOfRows(client, userKey, moved);
  await deleteRows(client, userKey, moved);
  await writeBatches(client, userKey, [batchOfRows(moved, identityOf(pair.named))], how, options);
  await keepUnknownIds(client, userKey, pair.namedId, moved);
}

/** Updates both sources' days that contain these samples. */
async function refreshDaysOf(
  context: WriteContext,
  { namedId, bundledId }: SourcePair,
  rows: SampleRows,
): Promise<void> {
  const dirtyDays = new DirtyDays();
  for (let row = 0; row < rows.length; row++) {
    const day = localDayOf(rows, row, context.timeline);
    for (const id of [namedId, bundledId]) dirtyDays.add(rows.typeId[row] as number, id, day, CHANGE.corrected);
  }
  await refreshRollUps(context, [{ dirtyDays, nights: new Set() }]);
}

/** True for a sample that was stored before the current bounds existed and would be rejected now. */
function isImplausible({ typeId, value, durationMs, kind }: SampleRows, row: number): boolean {
  const bound = brokenBound(
    typeId[row] as number,
    value[row] as number,
    durationMs[row] as number,
    kind[row] as number,
  );
  return bound !== undefined;
}

/** Moves samples without comparing them. Skips samples whose slot the named source already uses. */
const MOVE_REST = `
update sample bundled set source_id = $3
 where bundled.user_key = $1 and bundled.type_id = $2 and bundled.source_id = $4
   and bundled.start_at >= to_timestamp($5::float8 / 1000) and bundled.start_at < to_timestamp($6::float8 / 1000)
   and not exists (select from sample named where named.user_key = $1 and named.type_id = $2 and named.source_id = $3
                                              and named.start_at = bundled.start_at and named.slot = bundled.slot
                    ${ONE_LOOK_EACH})`;

const DELETE_REST = `
delete from sample
 where user_key = $1 and type_id = $2 and source_id = $3
   and start_at >= to_timestamp($4::float8 / 1000) and start_at < to_timestamp($5::float8 / 1000)`;

function rowsOf(from: SampleRows, isChosen: (row: number) => boolean): SampleRows {
  return takeRows(from, rowsWhere(from.length, isChosen));
}

function batchOfRows(rows: SampleRows, source: RecordBatch['sources'][number]): RecordBatch {
  return {
    sources: [source],
    records: [],
    samples: {
      length: rows.length,
      sourceIndex: new Uint32Array(rows.length),
      typeId: rows.typeId,
      kind: rows.kind,
      startMs: rows.startMs,
      durationMs: rows.durationMs,
      offsetMinutes: rows.offsetMinutes,
      value: rows.value,
      idHash: rows.slot.slice(0, rows.length).map(hashOfSlot),
    },
  };
}

/** Marks moved samples with an unknown id again, so that no file deletes them. */
async function keepUnknownIds(
  client: pg.ClientBase,
  userKey: number,
  namedId: number,
  moved: SampleRows,
): Promise<void> {
  const unknown = [...rowsWhere(moved.length, (row) => isOfUnknownId(moved.slot[row] as number))].map((row) => ({
    ...sampleRow(moved, row),
    sourceId: namedId,
  }));
  if (unknown.length === 0) return;
  await client.query(
    `update sample s set slot = s.slot | ${SLOT_UNKNOWN_ID_BIT}
       from ${SAMPLE_VALUE.unnested(2)}
      where s.user_key = $1 and ${SAMPLE_VALUE.matched('s')} and s.slot & ${SLOT_ID_BITS} = 0
        and not exists (select from sample o where o.user_key = $1 and o.type_id = s.type_id and o.start_at = s.start_at
                                               and o.source_id = s.source_id and o.slot = s.slot | ${SLOT_UNKNOWN_ID_BIT} ${ONE_LOOK_EACH})`,
    [userKey, ...SAMPLE_VALUE.values(unknown)],
  );
}

/** Deletes roll-ups without remaining samples. */
async function forgetRollUps(client: pg.ClientBase, userKey: number, sourceId: number, typeId: number): Promise<void> {
  await client.query('delete from day_value where user_key = $1 and source_id = $2 and type_id = $3', [
    userKey,
    sourceId,
    typeId,
  ]);
}
