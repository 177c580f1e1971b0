import { brokenBound, NO_ID, type Rejected, type SampleColumns, slotOfId } from '@healthd/model';
import { isStorableInstant } from '../facts/interval-faults.js';
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

/**
 * Returns the batch's storable samples by type, start, source and kind; equal ones in batch order. With sorted rows the
 * table's index grows in one place, and ranges can replace many keys.
 * @param sourceIds undefined for sources beyond their provider's limit
 * @param isSuppressed true if a sample of the batch must be skipped
 */
export function sortedRows(
  columns: SampleColumns,
  sourceIds: readonly (number | undefined)[],
  isSuppressed: (row: number) => boolean,
): BatchRows {
  const rejected: Rejected[] = [];
  const order = new Uint32Array(columns.length);
  let count = 0;
  let suppressed = 0;
  for (let row = 0; row < columns.length; row++) {
    const isOfSource = sourceIds[columns.sourceIndex[row] as number] !== undefined;
    const fault = isOfSource ? sampleFault(columns, row) : SOURCE_BEYOND_LIMIT;
    if (fault) rejected.push({ kind: 'rejected', collection: 'samples', index: row, ...fault });
    else if (isSuppressed(row)) suppressed++;
    else order[count++] = row;
  }
  const kept = inKeyOrder(order.subarray(0, count), comparator(columns, sourceIds));

  const rows = allocateRows(count);
  for (let position = 0; position < count; position++) {
    const row = kept[position] as number;
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
  return { rows, positions: kept, suppressed, rejected };
}

/** Compares by type, start, source and kind. */
function comparator(
  columns: SampleColumns,
  sourceIds: readonly (number | undefined)[],
): (a: number, b: number) => number {
  const { typeId, startMs, sourceIndex, kind } = columns;
  return (a, b) =>
    (typeId[a] as number) - (typeId[b] as number) ||
    Math.round(startMs[a] as number) - Math.round(startMs[b] as number) ||
    (sourceIds[sourceIndex[a] as number] as number) - (sourceIds[sourceIndex[b] as number] as number) ||
    (kind[a] as number) - (kind[b] as number);
}

/** Sorting an array merges the sorted runs that vendors write, with fewer comparisons than a typed array. */
function inKeyOrder(ascending: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  return isSorted(ascending, compare) ? ascending : Uint32Array.from(Array.from(ascending).sort(compare));
}

function isSorted(order: Uint32Array, compare: (a: number, b: number) => number): boolean {
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
