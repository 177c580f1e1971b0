import { localDayNumber, MS_PER_DAY, NO_OFFSET, SAMPLE_KIND_CODE } from '@healthd/model';
import type { OffsetTimeline } from '../offsets/offset-timeline.js';

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

/** Gives a row the end and the offset of another version of it, where it has none. At another instant both may be others. */
export function fillUnknown(rows: SampleRows, row: number, known: SampleRows, at: number): void {
  if (rows.startMs[row] !== known.startMs[at]) return;
  if (rows.offsetMinutes[row] === NO_OFFSET) rows.offsetMinutes[row] = known.offsetMinutes[at] as number;
  if (Number.isNaN(rows.durationMs[row])) rows.durationMs[row] = known.durationMs[at] as number;
}

/** The rows that a condition holds for, ascending. */
export function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const chosen = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (holds(row)) chosen[count++] = row;
  return chosen.subarray(0, count);
}
