import {
  brokenBound,
  localDayNumber,
  MS_PER_DAY,
  NO_ID,
  NO_OFFSET,
  type Rejected,
  SAMPLE_KIND_CODE,
  type SampleColumns,
  slotOfId,
} from '@healthd/model';
import type { OffsetTimeline } from '../offsets/offset-timeline.js';

const MAX_INT4 = 2_147_483_647;
/** 0001-01-01 and 9999-12-30: a local date still has four digits. */
const FIRST_INSTANT_MS = -62_135_596_800_000;
const LAST_INSTANT_MS = 253_402_128_000_000;

/** Samples of one user side by side, as the table holds them; milliseconds, NaN and NO_OFFSET for what is absent. */
export interface SampleRows {
  length: number;
  typeId: Int16Array;
  sourceId: Int32Array;
  kind: Uint8Array;
  /** Of rows of a batch without an id: {@link NO_SLOT} until they are compared with what is stored. */
  slot: Int32Array;
  startMs: Float64Array;
  durationMs: Float64Array;
  offsetMinutes: Int16Array;
  value: Float64Array;
}

export function allocateRows(length: number): SampleRows {
  return {
    length,
    typeId: new Int16Array(length),
    sourceId: new Int32Array(length),
    kind: new Uint8Array(length),
    slot: new Int32Array(length),
    startMs: new Float64Array(length),
    durationMs: new Float64Array(length),
    offsetMinutes: new Int16Array(length),
    value: new Float64Array(length),
  };
}

/** The value of `slot` for none. */
export const NO_SLOT = -1;

/** The storable samples of a batch. */
export interface BatchRows {
  rows: SampleRows;
  /** Where each row was in the batch. */
  positions: Uint32Array;
  rejected: Rejected[];
}

/**
 * The batch's samples by type, start, source and kind, those of one instant as they were in the batch, with what cannot
 * be stored taken out. Sorted rows let the table's index grow at one place, and let ranges stand for many keys.
 */
export function sortedRows(columns: SampleColumns, sourceIds: number[]): BatchRows {
  const rejected: Rejected[] = [];
  const order = new Uint32Array(columns.length);
  let count = 0;
  for (let row = 0; row < columns.length; row++) {
    const fault = faultOf(columns, row);
    if (fault) rejected.push({ kind: 'rejected', collection: 'samples', index: row, ...fault });
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
  return { rows, positions: kept, rejected };
}

/** The local day of a row: by its own offset, else as written for a total stamped with a date, else by the timeline. */
export function localDayOf(rows: SampleRows, row: number, timeline: OffsetTimeline): number {
  const startMs = rows.startMs[row] as number;
  return localDayNumber(startMs, effectiveOffset(rows, row, timeline));
}

/**
 * Minutes that turn a row's start into wall-clock time. A daily total at exactly 00:00:00Z without an offset is a date
 * that the vendor wrote as midnight UTC, so it is not shifted.
 */
export function effectiveOffset(rows: SampleRows, row: number, timeline: OffsetTimeline): number {
  const offset = rows.offsetMinutes[row] as number;
  if (offset !== NO_OFFSET) return offset;
  const startMs = rows.startMs[row] as number;
  if (rows.kind[row] === SAMPLE_KIND_CODE.daily_total && startMs % MS_PER_DAY === 0) return 0;
  return timeline.offsetAt(startMs);
}

function faultOf(columns: SampleColumns, row: number): Pick<Rejected, 'field' | 'code' | 'detail'> | undefined {
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

/** True for instants whose local dates have years 1 to 9999. */
export function isStorableInstant(ms: number): boolean {
  return ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS;
}

/** By type, start, source and kind. */
function comparator(columns: SampleColumns, sourceIds: number[]): (a: number, b: number) => number {
  const { typeId, startMs, sourceIndex, kind } = columns;
  return (a, b) =>
    (typeId[a] as number) - (typeId[b] as number) ||
    Math.round(startMs[a] as number) - Math.round(startMs[b] as number) ||
    (sourceIds[sourceIndex[a] as number] as number) - (sourceIds[sourceIndex[b] as number] as number) ||
    (kind[a] as number) - (kind[b] as number);
}

/** An array is sorted by merging the sorted runs that vendors write, in fewer comparisons than a typed array takes. */
function inKeyOrder(ascending: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  return isSorted(ascending, compare) ? ascending : Uint32Array.from(Array.from(ascending).sort(compare));
}

function isSorted(order: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let position = 1; position < order.length; position++) {
    if (compare(order[position - 1] as number, order[position] as number) > 0) return false;
  }
  return true;
}

/** The rows that a condition holds for, ascending. */
export function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const chosen = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (holds(row)) chosen[count++] = row;
  return chosen.subarray(0, count);
}
