import { MS_PER_HOUR, type RecordBatch, SLOTS_WITHOUT_ID } from '@healthd/model';
import { type QueryPart, readTogether } from '../../platform/database/index.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { BatchRows } from '../decide/batch-rows.js';
import { type AddedPieces, CONDENSED_MS, rangeAround } from '../decide/condensed.js';
import { rangesOfTotals } from '../decide/daily-totals.js';
import { Identified } from '../decide/identified.js';
import type { SamplesReplacement, StoredWindows } from '../decide/replaced-windows.js';
import { addedPieces, type GroupedSamples, groupSamples, rowsToCompare, stretchesOf } from '../decide/sample-groups.js';
import type { StoredStretches } from '../decide/sample-identity.js';
import { mayBeArchived, restatesSamples, type SampleSnapshot } from '../decide/samples.js';
import {
  readingsOfWorkouts,
  type StoredWorkout,
  spanOfReadings,
  type WorkoutReadings,
} from '../decide/workout-readings.js';
import { loadArchivedMinutes, type MinuteRange } from '../facts/archived/minute-store.js';
import { readSamples, readSpans } from '../facts/samples/sample-reader.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';
import { sourcesOfWriter } from '../facts/sources/stored-source.js';
import { decide } from './decide-batch.js';
import type { BatchContext } from './load-context.js';
import { storedWorkout, WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

/** Minimum distance at which two samples always have different local dates, for offsets of at most 18 hours. */
const LOCAL_DATE_REACH_MS = 60 * MS_PER_HOUR;

/**
 * Maximum number of stored workouts around a batch that are examined, newest first. Users have far fewer. Every batch
 * examines them again, so without a limit the cost of many batches would grow with the square of the workouts.
 */
const WORKOUTS_AROUND_AT_MOST = 10_000;

/** Number of windows per decision. Each window surrounds new pieces. Limits memory. */
const WINDOWS_AT_ONCE = 8;

const RANGES_PER_READ = 64;

/**
 * Loads the stored samples around a batch's samples. The user's row is locked, so an empty range stays empty. Rows in
 * an empty range need no conflict rule, and their days need not be read back.
 * @param workoutReadings stored readings of deleted or moved workouts
 */
export async function loadSamples(
  context: BatchContext,
  { rows }: BatchRows,
  records: RecordBatch['records'],
  workoutReadings: readonly SampleRows[],
): Promise<{ grouped: GroupedSamples; snapshot: SampleSnapshot }> {
  const { client, userKey, options, turns } = context;
  const grouped = groupSamples(rows);
  await turns.yieldIfLong();
  const readings = await probe(context, rows, grouped, records);
  const compared = rowsToCompare(rows, grouped);
  const snapshot: SampleSnapshot = {
    facts: {
      replacesFiles: options.replacesFiles ?? false,
      keepStored: options.keepStored ?? false,
      mayRemove: records.some(({ kind }) => kind === 'replacement' || kind === 'workout'),
      readings,
    },
    isRestated: restatesSamples(records),
    compared,
    totals: await readSamples(client, userKey, rangesOfTotals(rows)),
    around: await readAround(context, rows, compared.doubtful),
    windows: await readWindows(context, records),
    readings: workoutReadings,
    archived: options.isMove ? undefined : await archivedRows(context, rows),
  };
  return { grouped, snapshot };
}

/** Sets each group's data about the stored samples around it. @returns the classifier of workout readings */
async function probe(
  { client, userKey, sources, turns }: BatchContext,
  rows: SampleRows,
  { groups }: GroupedSamples,
  records: RecordBatch['records'],
): Promise<WorkoutReadings | undefined> {
  if (groups.length === 0) return undefined;
  const span = spanOfReadings(rows);
  const { probed, workouts } = await readTogether(client, 'records-probe-samples', AROUND_SAMPLES, [
    userKey,
    groups.map(({ typeId }) => typeId),
    groups.map(({ sourceId }) => sourceId),
    groups.map(({ firstMs }) => firstMs),
    groups.map(({ lastMs }) => lastMs),
    LOCAL_DATE_REACH_MS,
    groups.map((group) => group.isSummed),
    span?.fromMs ?? null,
    span?.toMs ?? null,
  ]);
  groups.forEach((group, index) => {
    const found = probed[index];
    if (!found) return;
    group.overlaps = found.overlaps;
    group.mayBePieces = found.may_be_pieces;
    group.previousMs = found.previous ?? undefined;
    group.nextMs = found.next ?? undefined;
  });
  await turns.yieldIfLong();
  return turns.run(readingsOfWorkouts(span && storedWorkouts(workouts), sources, records));
}

/** Converts each workout when it is read, because a span may contain many. */
function* storedWorkouts(rows: readonly WorkoutFactsRow[]): Generator<StoredWorkout> {
  for (const row of rows) yield storedWorkout(row);
}

/** Reads the stored samples in the rows' seconds. */
async function readAround(
  { client, userKey }: BatchContext,
  rows: SampleRows,
  doubtful: Uint32Array,
): Promise<StoredStretches[]> {
  const all = stretchesOf(rows, doubtful);
  const around: StoredStretches[] = [];
  for (let index = 0; index < all.length; index += RANGES_PER_READ) {
    const stretches = all.slice(index, index + RANGES_PER_READ);
    const ranges = stretches.map(({ range }) => range);
    around.push({ stretches, stored: await readSamples(client, userKey, ranges) });
  }
  return around;
}

/** Reads the stored samples of replaced windows. Reads once per writer, because a delivery may contain thousands. */
async function readWindows(
  { client, userKey, sources, options }: BatchContext,
  records: RecordBatch['records'],
): Promise<StoredWindows[]> {
  const windows: StoredWindows[] = [];
  const replaced = records.filter(
    (record): record is SamplesReplacement => record.kind === 'replacement' && record.of === 'samples',
  );
  for (const ofWriter of groupedBy(replaced, ({ provider, writer }) => `${provider} ${writer}`).values()) {
    const sourceIds = sourcesOfWriter(sources, ofWriter[0], options.account);
    if (sourceIds.length === 0) continue;
    const spans = ofWriter.flatMap(({ typeIds, startMs, endMs }) =>
      typeIds.map((typeId) => ({ typeId, fromMs: startMs, toMs: endMs })),
    );
    windows.push({ records: ofWriter, stored: await readSpans(client, userKey, sourceIds, spans) });
  }
  return windows;
}

/** Marks rows that start in an archived minute. Returns undefined if no row can start in an archived minute. */
async function archivedRows(
  { client, userKey, archivedBefore, turns }: BatchContext,
  rows: SampleRows,
): Promise<Uint8Array | undefined> {
  if (archivedBefore === undefined) return undefined;
  const ranges = new Map<number, MinuteRange>();
  for (let row = 0; row < rows.length; row++) {
    if (!mayBeArchived(rows, row, archivedBefore)) continue;
    const typeId = rows.typeId[row] as number;
    const ms = rows.startMs[row] as number;
    const range = ranges.get(typeId);
    if (!range) ranges.set(typeId, { typeId, fromMs: ms, toMs: ms });
    else {
      range.fromMs = Math.min(range.fromMs, ms);
      range.toMs = Math.max(range.toMs, ms);
    }
  }
  if (ranges.size === 0) return undefined;
  const minutes = await loadArchivedMinutes(client, userKey, [...ranges.values()]);
  await turns.yieldIfLong();
  return Uint8Array.from(rows.startMs, (startMs, row) => {
    const isCovered = minutes.has(rows.typeId[row] as number, rows.sourceId[row] as number, startMs);
    return isCovered && mayBeArchived(rows, row, archivedBefore) ? 1 : 0;
  });
}

/**
 * Replaces stored condensed samples with new rows. Readings deleted with a workout do not count as pieces.
 */
export async function supersedeCondensed(
  context: BatchContext,
  identified: Identified,
  grouped: GroupedSamples,
): Promise<Identified> {
  const { client, userKey } = context;
  const all = [...addedPieces(identified, grouped)];
  let { decision } = identified;
  for (let index = 0; index < all.length; index += WINDOWS_AT_ONCE) {
    const windows: { added: AddedPieces; stored: SampleRows }[] = [];
    for (const added of all.slice(index, index + WINDOWS_AT_ONCE)) {
      windows.push({ added, stored: await readSamples(client, userKey, [rangeAround(added)]) });
    }
    decision = await decide(context, 'pieces', { decision, windows });
  }
  return new Identified(decision);
}

interface Probed {
  overlaps: boolean;
  may_be_pieces: boolean;
  previous: number | null;
  next: number | null;
}

const PROBED: QueryPart<Probed, Probed[]> = {
  sql: `
select exists (select from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at between to_timestamp(g.first_ms / 1000) and to_timestamp(g.last_ms / 1000)) as overlaps,
       g.is_summed and exists (
         select from sample s
          where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id and s.slot < ${SLOTS_WITHOUT_ID}
            and s.start_at between to_timestamp((g.first_ms - ${CONDENSED_MS.most}) / 1000) and to_timestamp(g.last_ms / 1000)
            and s.duration_ms > ${CONDENSED_MS.above} and s.duration_ms <= ${CONDENSED_MS.most}
            and s.start_at + s.duration_ms * interval '1 millisecond' > to_timestamp(g.first_ms / 1000)) as may_be_pieces,
       extract(epoch from (select max(s.start_at) from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at < to_timestamp(g.first_ms / 1000)
                  and s.start_at >= to_timestamp((g.first_ms - $6) / 1000)))::float8 * 1000 as previous,
       extract(epoch from (select min(s.start_at) from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at > to_timestamp(g.last_ms / 1000)
                  and s.start_at <= to_timestamp((g.last_ms + $6) / 1000)))::float8 * 1000 as next
  from unnest($2::smallint[], $3::int[], $4::float8[], $5::float8[], $7::boolean[]) with ordinality
       as g (type_id, source_id, first_ms, last_ms, is_summed, position)
 order by position`,
  read: (rows) => rows,
};

const WORKOUTS_AROUND: QueryPart<WorkoutFactsRow, WorkoutFactsRow[]> = {
  sql: `select ${WORKOUT_FACTS} from workout s
         where s.user_key = $1 and s.start_at <= to_timestamp($9::float8 / 1000) and s.end_at >= to_timestamp($8::float8 / 1000)
         order by s.start_at desc, s.id limit ${WORKOUTS_AROUND_AT_MOST}`,
  read: (rows) => rows,
};

const AROUND_SAMPLES = { probed: PROBED, workouts: WORKOUTS_AROUND };
