import { brokenBound, NO_ID, type Rejected, type SampleColumns, slotOfId } from '@healthd/model';
import { isStorableInstant } from '../facts/interval-errors.js';
import { inPortions } from '../facts/samples/in-portions.js';
import { allocateRows, NO_SLOT, type SampleRows } from '../facts/samples/sample-rows.js';
import { SOURCE_BEYOND_LIMIT } from '../facts/sources/resolved-source.js';

const MAX_INT4 = 2_147_483_647;

/** The storable samples of a batch. */
export interface BatchRows {
  rows: SampleRows;
  /** Position of each row in the batch. */
  positions: Uint32Array;
  /** Number of storable samples that were skipped. */
  suppressed: number;
  rejected: Rejected[];
}

/** Number of rows sorted between two yields to the event loop. Sorting them takes a few milliseconds. */
const ROWS_AT_ONCE = 16_384;

/**
 * Returns the batch's storable samples by type, start, source and kind. Rows with equal keys stay in batch order. With
 * sorted rows the table's index grows in one place, and stored samples can be read by range instead of by key.
 * @param sourceIds undefined for sources beyond their provider's limit
 * @param isSuppressed true if a sample of the batch must be skipped
 */
export function* sortedRows(
  columns: SampleColumns,
  sourceIds: readonly (number | undefined)[],
  isSuppressed: (row: number) => boolean,
): Generator<void, BatchRows> {
  const selected: SelectedRows = { order: new Uint32Array(columns.length), count: 0, suppressed: 0, rejected: [] };
  yield* inPortions(columns.length, (from, to) => selectRows(selected, columns, { sourceIds, isSuppressed, from, to }));
  const { order, count, suppressed, rejected } = selected;
  const positions = yield* inKeyOrder(order.subarray(0, count), columns, sourceIds);
  const rows = allocateRows(count);
  yield* inPortions(count, (from, to) => fillRows(rows, positions, columns, { sourceIds, from, to }));
  return { rows, positions, suppressed, rejected };
}

/**
 * Rows of a batch that will be stored, in the first `count` elements of `order`. Also counts the suppressed rows and
 * lists the rejected rows.
 */
interface SelectedRows extends Pick<BatchRows, 'suppressed' | 'rejected'> {
  order: Uint32Array;
  count: number;
}

function selectRows(
  selected: SelectedRows,
  columns: SampleColumns,
  {
    sourceIds,
    isSuppressed,
    from,
    to,
  }: {
    sourceIds: readonly (number | undefined)[];
    isSuppressed: (row: number) => boolean;
    from: number;
    to: number;
  },
): void {
  const { sourceIndex } = columns;
  const { order, rejected } = selected;
  for (let row = from; row < to; row++) {
    const isOfSource = sourceIds[sourceIndex[row] as number] !== undefined;
    const fault = isOfSource ? sampleFault(columns, row) : SOURCE_BEYOND_LIMIT;
    if (fault) rejected.push({ kind: 'rejected', collection: 'samples', index: row, ...fault });
    else if (isSuppressed(row)) selected.suppressed++;
    else order[selected.count++] = row;
  }
}

function fillRows(
  rows: SampleRows,
  positions: Uint32Array,
  columns: SampleColumns,
  { sourceIds, from, to }: { sourceIds: readonly (number | undefined)[]; from: number; to: number },
): void {
  for (let position = from; position < to; position++) {
    const row = positions[position] as number;
    const kind = columns.kind[row] as number;
    const idHash = columns.idHash[row] as number;
    rows.typeId[position] = columns.typeId[row] as number;
    rows.sourceId[position] = sourceIds[columns.sourceIndex[row] as number] as number;
    rows.kind[position] = kind;
    rows.slot[position] = idHash === NO_ID ? NO_SLOT : slotOfId(kind, idHash);
    rows.startMs[position] = Math.round(columns.startMs[row] as number);
    rows.durationMs[position] = Math.round(columns.durationMs[row] as number);
    rows.offsetMinutes[position] = columns.offsetMinutes[row] as number;
    rows.value[position] = columns.value[row] as number;
  }
}

type Compare = (a: number, b: number) => number;

/**
 * Sorts ascending positions by type, start, source and kind. Readings of several types often alternate, for example the
 * readings of a workout's seconds. The readings of one type are then already in order.
 */
function* inKeyOrder(
  ascending: Uint32Array,
  { typeId, startMs, sourceIndex, kind }: SampleColumns,
  sourceIds: readonly (number | undefined)[],
): Generator<void, Uint32Array> {
  const order = groupedByType(ascending, typeId);
  yield;
  const compare: Compare = (a, b) =>
    Math.round(startMs[a] as number) - Math.round(startMs[b] as number) ||
    (sourceIds[sourceIndex[a] as number] as number) - (sourceIds[sourceIndex[b] as number] as number) ||
    (kind[a] as number) - (kind[b] as number);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const type = typeId[order[from] as number];
    while (to < order.length && typeId[order[to] as number] === type) to++;
    yield* sortInPieces(order.subarray(from, to), compare);
  }
  return order;
}

/** Returns the positions by type. Positions of one type stay in order. */
function groupedByType(positions: Uint32Array, typeId: Int16Array): Uint32Array {
  const counts = new Map<number, number>();
  for (const position of positions) {
    const type = typeId[position] as number;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const next = new Map<number, number>();
  let from = 0;
  for (const [type, count] of [...counts].sort(([a], [b]) => a - b)) {
    next.set(type, from);
    from += count;
  }
  const grouped = new Uint32Array(positions.length);
  for (const position of positions) {
    const type = typeId[position] as number;
    const to = next.get(type) as number;
    grouped[to] = position;
    next.set(type, to + 1);
  }
  return grouped;
}

/** Sorts in place and keeps the order of equal positions. Sorts pieces and merges neighbors. */
function* sortInPieces(order: Uint32Array, compare: Compare): Generator<void, void> {
  for (let from = 0; from < order.length; from += ROWS_AT_ONCE) {
    const piece = order.subarray(from, from + ROWS_AT_ONCE);
    // Array sorting merges the presorted sequences that vendors write and needs fewer comparisons than typed array
    // sorting.
    if (!isSorted(piece, compare)) piece.set(Array.from(piece).sort(compare));
    yield;
  }
  for (let length = ROWS_AT_ONCE; length < order.length; length *= 2) {
    for (let from = 0; from + length < order.length; from += 2 * length) {
      yield* mergeHalves(order.subarray(from, from + 2 * length), length, compare);
    }
  }
}

/** Merges two sorted parts in place. @param middle start of the second part */
function* mergeHalves(order: Uint32Array, middle: number, compare: Compare): Generator<void, void> {
  if (compare(order[middle - 1] as number, order[middle] as number) <= 0) return;
  const first = order.slice(0, middle);
  for (let left = 0, right = middle, to = 0; left < first.length; to++) {
    if (to % ROWS_AT_ONCE === 0) yield;
    const takesRight = right < order.length && compare(first[left] as number, order[right] as number) > 0;
    order[to] = takesRight ? (order[right++] as number) : (first[left++] as number);
  }
}

function isSorted(order: Uint32Array, compare: Compare): boolean {
  for (let position = 1; position < order.length; position++) {
    if (compare(order[position - 1] as number, order[position] as number) > 0) return false;
  }
  return true;
}

/** Returns why a sample of a batch cannot be stored; undefined if it can. */
function sampleFault(columns: SampleColumns, row: number): Pick<Rejected, 'field' | 'code' | 'detail'> | undefined {
  const startMs = columns.startMs[row] as number;
  const durationMs = columns.durationMs[row] as number;
  if (!Number.isFinite(columns.value[row] as number)) return { field: 'value', code: 'value_not_finite' };
  if (!isStorableInstant(startMs)) return { field: 'start', code: 'invalid_date' };
  if (durationMs < 0 || durationMs > MAX_INT4) return { field: 'duration', code: 'invalid_duration' };
  const { typeId, value, kind } = columns;
  const bound = brokenBound(typeId[row] as number, value[row] as number, durationMs, kind[row] as number);
  if (bound !== undefined) return { field: 'value', code: 'implausible', detail: bound };
  return undefined;
}
