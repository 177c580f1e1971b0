import type pg from 'pg';
import { ArchivedDays } from '../../facts/archived/archived-day.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import type { SampleExtremes } from '../../facts/samples/sample-extremes.js';
import { readSamples } from '../../facts/samples/sample-reader.js';
import { allocateRows, type SampleRows } from '../../facts/samples/sample-rows.js';
import type { WriteContext } from '../../facts/write-context.js';
import { HEART_RATE_TYPE_ID, heartRateMinutesOf, STEPS_TYPE_ID, stepMinutesOf } from './day-minutes.js';
import { storeHeartRateMinutes, storeStepMinutes } from './day-minutes-store.js';
import { type DaySamples, splitIntoDays } from './day-samples.js';
import { type DayValue, dayValueOf } from './day-value.js';
import { deleteDayValues, storeDayValues } from './day-value-store.js';
import { plannedReads } from './planned-reads.js';

/** Days that the current batch contains completely, so that they need not be read. */
export interface CompleteDays {
  days: DirtyDays;
  rows: SampleRows;
  positions: ArrayLike<number>;
}

/**
 * Computes the roll-ups of the dirty days from all of their samples. Uses the batch for days that it contains
 * completely. Reads all other days, neighboring days together, so that each row is read about once. Computes sums here
 * instead of in SQL, so that most rows of an import are never read back and samples from the batch and from the
 * database share one computation. Adds samples to the stored totals of archived samples.
 * @param extremes extremes of samples of the days
 */
export async function refreshDays(
  context: WriteContext,
  extremes: SampleExtremes | undefined,
  dirtyDays: DirtyDays,
  complete?: CompleteDays,
): Promise<void> {
  if (dirtyDays.typeIds.length === 0) return;
  const { client, userKey, timeline, archivedBefore, turns } = context;
  const archived = await ArchivedDays.ofDays(client, userKey, dirtyDays, archivedBefore);
  const stored: StoredOfDays = { archived, extremes };
  if (complete) {
    const fromBatch = await turns.run(
      splitIntoDays(complete.rows, complete.positions, timeline, (typeId, sourceId, day) =>
        complete.days.has(typeId, sourceId, day),
      ),
    );
    await storeDays(context, fromBatch, stored);
  }
  const reads = plannedReads(timeline, dirtyDays, complete?.days ?? new DirtyDays());
  for (const { days, ranges } of reads) {
    const rows = await readSamples(client, userKey, ranges);
    const positions = allPositions(rows.length);
    const split = await turns.run(
      splitIntoDays(rows, positions, timeline, (typeId, sourceId, day) => days.has(typeId, sourceId, day)),
    );
    split.push(...withoutSamples(stored.archived, days, split));
    await storeDays(context, split, stored);
    await removeEmptied(client, userKey, days, split);
  }
}

/** Data of days besides their samples. */
interface StoredOfDays {
  archived: ArchivedDays;
  extremes: SampleExtremes | undefined;
}

/** Returns the dirty series and the range of days; undefined if nothing is dirty. */
export function rangeOf(dirtyDays: DirtyDays): { typeIds: number[]; firstDay: number; lastDay: number } | undefined {
  const { typeIds } = dirtyDays;
  if (typeIds.length === 0) return undefined;
  let firstDay = Number.POSITIVE_INFINITY;
  let lastDay = Number.NEGATIVE_INFINITY;
  for (const day of dirtyDays.allDays) {
    firstDay = Math.min(firstDay, day);
    lastDay = Math.max(lastDay, day);
  }
  return { typeIds, firstDay, lastDay };
}

/** Returns archived days without remaining or new samples. */
function withoutSamples(archived: ArchivedDays, days: DirtyDays, split: readonly DaySamples[]): DaySamples[] {
  const sampled = new DirtyDays();
  for (const { typeId, sourceId, day } of split) sampled.add(typeId, sourceId, day);
  return archived
    .all()
    .filter(({ typeId, sourceId, day }) => days.has(typeId, sourceId, day) && !sampled.has(typeId, sourceId, day))
    .map(({ typeId, sourceId, day }) => ({ typeId, sourceId, day, rows: allocateRows(0), positions: [], localMs: [] }));
}

/** Number of days per statement. Limits how long serializing its parameters blocks the event loop. */
const DAYS_PER_STATEMENT = 4_000;

async function storeDays(context: WriteContext, split: DaySamples[], stored: StoredOfDays): Promise<void> {
  for (let from = 0; from < split.length; from += DAYS_PER_STATEMENT) {
    await storeBatch(context, split.slice(from, from + DAYS_PER_STATEMENT), stored);
  }
}

async function storeBatch(
  { client, userKey, turns }: WriteContext,
  split: DaySamples[],
  { archived, extremes }: StoredOfDays,
): Promise<void> {
  const values: DayValue[] = [];
  const heartRates: Parameters<typeof storeHeartRateMinutes>[2] = [];
  const steps: Parameters<typeof storeStepMinutes>[2] = [];
  for (const samples of split) {
    const { typeId, sourceId, day } = samples;
    const before = archived.get(samples);
    values.push(dayValueOf(samples, before, extremes));
    if (typeId === HEART_RATE_TYPE_ID) heartRates.push({ sourceId, day, minutes: heartRateMinutesOf(samples, before) });
    if (typeId === STEPS_TYPE_ID) steps.push({ sourceId, day, minutes: stepMinutesOf(samples, before) });
    await turns.yieldIfLong();
  }
  await storeDayValues(client, userKey, values);
  await storeHeartRateMinutes(client, userKey, heartRates);
  await storeStepMinutes(client, userKey, steps);
}

async function removeEmptied(
  client: pg.ClientBase,
  userKey: number,
  days: DirtyDays,
  split: DaySamples[],
): Promise<void> {
  const filled = new DirtyDays();
  for (const { typeId, sourceId, day } of split) filled.add(typeId, sourceId, day);
  const emptyDays = [...days.entries()].filter(({ typeId, sourceId, day }) => !filled.has(typeId, sourceId, day));
  await deleteDayValues(client, userKey, emptyDays);
  const emptied = (typeId: number) =>
    emptyDays
      .filter((day) => day.typeId === typeId)
      .map(({ sourceId, day }) => ({ sourceId, day, minutes: undefined }));
  await storeHeartRateMinutes(client, userKey, emptied(HEART_RATE_TYPE_ID));
  await storeStepMinutes(client, userKey, emptied(STEPS_TYPE_ID));
}

function allPositions(length: number): Uint32Array {
  const positions = new Uint32Array(length);
  for (let row = 0; row < length; row++) positions[row] = row;
  return positions;
}
