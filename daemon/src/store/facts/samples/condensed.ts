import { isWithoutId, MS_PER_DAY, SAMPLE_KIND_CODE, SERIES_TYPES } from '@healthd/model';
import { FATE, type Identified } from './identified.js';
import { endSecond, startSecond } from './sample-cell.js';
import { NO_SLOT, type SampleRows } from './sample-rows.js';

// Arrays by id: files bring millions of samples.
const summed = new Uint8Array(1 + Math.max(...SERIES_TYPES.map(({ id }) => id)));
for (const { id, rule } of SERIES_TYPES) if (rule === 'sum') summed[id] = 1;

/** Shortest and longest time that a condensed item covers. */
export const CONDENSED_MS = { above: 1000, most: MS_PER_DAY } as const;
/** How far the sum of the parts may be from the whole. */
export const CONDENSED_TOLERANCE = 0.01;

/** Whether a sample may be several in one: it has no id, lasts up to a day, and is of a summed series. */
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

/** Whether a sample may be a piece of a condensed one. */
export function isSummed(rows: SampleRows, row: number): boolean {
  return rows.kind[row] === SAMPLE_KIND_CODE.sample && summed[rows.typeId[row] as number] === 1;
}

/** Samples in the order of the primary key. */
export interface StoredAround {
  stored: SampleRows;
  /** Where to begin: not after the first that starts in the second of the whole. */
  from: number;
  counts(at: number): boolean;
}

/**
 * Whether two or more other samples of its source, stored ones and new rows of the batch, are within a sample and add
 * up to it. Vendors keep old workouts in fewer, longer pieces, and what has those says nothing new.
 * @param whole where the sample stands: the rows of the batch, or stored ones
 */
export function isSumOfParts(
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
    // What is stored already has been added.
    if (identified.fateOf(other) === FATE.insert) parts.add(rows, other);
  }
  const value = whole.value[at] as number;
  return parts.count >= 2 && Math.abs(parts.sum - value) <= CONDENSED_TOLERANCE * Math.abs(parts.sum);
}

/** The first of the rows, in the order of the primary key, that starts in the first second of a sample or later. */
export function firstWithin(rows: SampleRows, whole: SampleRows, at: number): number {
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

  /** Whether a sample, and those that start later, may still be parts. */
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
    // An interval as long as the whole is the whole itself, or another one of its kind.
    if (startSecond(of, at) === startSecond(rows, row) && endSecond(of, at) === this.endSecond) return;
    this.count++;
    this.sum += of.value[at] as number;
  }
}
