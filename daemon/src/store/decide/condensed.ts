import { isWithoutId, MS_PER_DAY, SAMPLE_KIND_CODE, SERIES_TYPES } from '@healthd/model';
import { NO_SLOT, type SampleRange, type SampleRows, endSecond, startSecond } from '../facts/samples/sample-rows.js';
import { ROW_OUTCOME, type Identified } from './identified.js';

// Array indexed by type ID, because files contain millions of samples.
const summed = new Uint8Array(1 + Math.max(...SERIES_TYPES.map(({ id }) => id)));
for (const { id, rule } of SERIES_TYPES) if (rule === 'sum') summed[id] = 1;

/** Minimum and maximum duration of a condensed item. */
export const CONDENSED_MS = { above: 1000, most: MS_PER_DAY } as const;
/** Maximum relative difference between the sum of the parts and the whole. */
export const CONDENSED_TOLERANCE = 0.01;

/**
 * True if a sample may combine several samples: it has no ID, lasts more than a second and at most a day, is not zero,
 * and belongs to a summed series.
 */
export function mayBeCondensed(rows: SampleRows, row: number): boolean {
  const durationMs = rows.durationMs[row] as number;
  const slot = rows.slot[row] as number;
  return (
    durationMs > CONDENSED_MS.above &&
    durationMs <= CONDENSED_MS.most &&
    isSummed(rows, row) &&
    (slot === NO_SLOT || isWithoutId(slot)) &&
    rows.value[row] !== 0
  );
}

/** True if a sample may be a piece of a condensed sample. */
export function isSummed(rows: SampleRows, row: number): boolean {
  return rows.kind[row] === SAMPLE_KIND_CODE.sample && summed[rows.typeId[row] as number] === 1;
}

/** Samples in primary key order. */
interface StoredAround {
  stored: SampleRows;
  /** First position to check: at or before the first sample that starts in the same second as the whole. */
  from: number;
  counts(at: number): boolean;
}

/**
 * True if two or more other samples of the same source, stored or new, lie within a sample and add up to it. Vendors
 * condense the samples of old workouts into fewer, longer samples. If both arrive, only the parts may count.
 * @param whole the batch's rows or the stored rows that contain the sample
 */
function isSumOfParts(
  identified: Identified,
  whole: SampleRows,
  at: number,
  { stored, from, counts }: StoredAround,
): boolean {
  const { rows } = identified;
  const parts = new Parts(whole, at);
  for (let other = from; other < stored.length && parts.canHold(stored, other); other++) {
    if (!identified.mayLookAtPart()) return false;
    if (counts(other)) parts.add(stored, other);
  }
  for (let other = firstWithin(rows, whole, at); other < rows.length && parts.canHold(rows, other); other++) {
    if (!identified.mayLookAtPart()) return false;
    // Adds only new rows, because stored rows were already added above.
    if (identified.rowOutcomeOf(other) === ROW_OUTCOME.insert) parts.add(rows, other);
  }
  const value = whole.value[at] as number;
  return parts.count >= 2 && Math.abs(parts.sum - value) <= CONDENSED_TOLERANCE * Math.abs(parts.sum);
}

/** Returns the first row, in primary key order, that starts in the first second of a sample or later. */
function firstWithin(rows: SampleRows, whole: SampleRows, at: number): number {
  const typeId = whole.typeId[at] as number;
  const second = startSecond(whole, at);
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = (rows.typeId[middle] as number) - typeId || startSecond(rows, middle) - second;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Parts {
  count = 0;
  sum = 0;
  private readonly endSecond: number;
  private readonly limit: number;

  constructor(
    private readonly rows: SampleRows,
    private readonly row: number,
  ) {
    this.endSecond = endSecond(rows, row);
    this.limit = Math.abs(rows.value[row] as number) * (1 + 2 * CONDENSED_TOLERANCE);
  }

  /** True if this sample, or samples that start later, may still be parts. */
  canHold(of: SampleRows, at: number): boolean {
    const { rows, row } = this;
    return (
      of.typeId[at] === rows.typeId[row] && startSecond(of, at) <= this.endSecond && Math.abs(this.sum) <= this.limit
    );
  }

  add(of: SampleRows, at: number): void {
    const { rows, row } = this;
    if (of.sourceId[at] !== rows.sourceId[row] || of.kind[at] !== SAMPLE_KIND_CODE.sample) return;
    if (startSecond(of, at) < startSecond(rows, row) || endSecond(of, at) > this.endSecond) return;
    // Ignores an interval as long as the whole, because it is the whole itself or another version of the whole.
    if (startSecond(of, at) === startSecond(rows, row) && endSecond(of, at) === this.endSecond) return;
    this.count++;
    this.sum += of.value[at] as number;
  }
}

/** Rows that may be condensed, each with the position of the first stored sample to check. */
export interface Condensable {
  rows: number[];
  from: number[];
}

/**
 * Marks rows as superseded if their pieces are stored or new. Processes shorter rows first, because they may be pieces
 * of longer rows.
 */
export function supersede(identified: Identified, condensable: Condensable, stored: SampleRows): void {
  const { rows } = identified;
  const counts = (other: number) => identified.remainsStored(stored, other);
  const durationOf = (index: number) => rows.durationMs[condensable.rows[index] as number] as number;
  const order = condensable.rows.map((_, index) => index).sort((a, b) => durationOf(a) - durationOf(b));
  for (const index of order) {
    const row = condensable.rows[index] as number;
    if (identified.rowOutcomeOf(row) !== ROW_OUTCOME.insert) continue;
    const from = condensable.from[index] as number;
    if (isSumOfParts(identified, rows, row, { stored, from, counts })) identified.set(row, 'superseded');
  }
}

/** New rows of one series and source within a window. */
export interface AddedPieces {
  typeId: number;
  sourceId: number;
  rows: number[];
  firstMs: number;
  lastMs: number;
}

/** Returns the range of stored samples that {@link supersedeStored} needs. */
export function rangeAround({ typeId, sourceId, firstMs, lastMs }: AddedPieces): SampleRange {
  return {
    typeId,
    sourceIds: [sourceId],
    kindCode: SAMPLE_KIND_CODE.sample,
    fromMs: firstMs - CONDENSED_MS.most,
    toMs: lastMs + CONDENSED_MS.most + 1,
  };
}

/**
 * Removes stored condensed samples if new rows complete their pieces, see {@link isSumOfParts}. The pieces count, even
 * if the condensed sample arrived first. Also supersedes new condensed rows that are now the sum of their parts.
 */
export function supersedeStored(identified: Identified, added: AddedPieces, stored: SampleRows): void {
  const removedRows = new Set<number>();
  const counts = (other: number) => !removedRows.has(other) && identified.remainsStored(stored, other);
  for (const { of, at, row } of condensedCandidates(identified.rows, added, stored)) {
    const around = { stored, from: firstWithin(stored, of, at), counts };
    if (!isSumOfParts(identified, of, at, around)) continue;
    if (of === stored) {
      removedRows.add(at);
      identified.supersede(row, stored, at);
    } else identified.set(row, 'superseded');
  }
}

/** A sample that may be condensed: a stored sample with the first new row that it contains, or a new row itself. */
interface Candidate {
  of: SampleRows;
  at: number;
  row: number;
}

/** Returns the samples that may be condensed, shorter samples first, because they may be pieces of longer samples. */
function condensedCandidates(rows: SampleRows, added: AddedPieces, stored: SampleRows): Candidate[] {
  const found: Candidate[] = added.rows
    .filter((row) => mayBeCondensed(rows, row))
    .map((row) => ({ of: rows, at: row, row }));
  let next = 0;
  for (let at = 0; at < stored.length; at++) {
    if (!mayBeCondensed(stored, at)) continue;
    const startMs = stored.startMs[at] as number;
    const endMs = startMs + (stored.durationMs[at] as number);
    // Allows a second of difference, because exports have no fractions of a second.
    while (next < added.rows.length && (rows.startMs[added.rows[next] as number] as number) < startMs - 1000) next++;
    const row = added.rows[next];
    if (row !== undefined && (rows.startMs[row] as number) <= endMs) found.push({ of: stored, at, row });
  }
  return found.sort((a, b) => (a.of.durationMs[a.at] as number) - (b.of.durationMs[b.at] as number));
}
