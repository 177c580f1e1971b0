import { localDayNumber, MS_PER_DAY, NO_OFFSET, SAMPLE_KIND_CODE } from '@healthd/model';
import type { OffsetTimeline } from '../offsets/offset-timeline.js';

/** One user's samples as columns, like in the table. Times are in milliseconds; NaN and NO_OFFSET represent missing values. */
export interface SampleRows {
  length: number;
  typeId: Int16Array;
  sourceId: Int32Array;
  kind: Uint8Array;
  /** {@link NO_SLOT} for a batch's rows without an id, until they are compared with stored rows. */
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

/** Returns the same columns in an object with the hidden class of {@link allocateRows}, which a cloned object lacks. */
export function withUsualShape(rows: SampleRows): SampleRows {
  const { length, typeId, sourceId, kind, slot, startMs, durationMs, offsetMinutes, value } = rows;
  return { length, typeId, sourceId, kind, slot, startMs, durationMs, offsetMinutes, value };
}

/** Value of an unknown `slot`. */
export const NO_SLOT = -1;

/**
 * Returns the local day of a row by its own offset. Without an offset, a total that represents a date has that date,
 * and the timeline decides about other rows.
 */
export function localDayOf(rows: SampleRows, row: number, timeline: OffsetTimeline): number {
  const startMs = rows.startMs[row] as number;
  return localDayNumber(startMs, effectiveOffset(rows, row, timeline));
}

/**
 * Returns the minutes to add to a row's start to get its local time. A daily total at exactly 00:00:00Z without an offset is a date
 * that the vendor wrote as midnight UTC, so it is not shifted.
 */
export function effectiveOffset(rows: SampleRows, row: number, timeline: OffsetTimeline): number {
  const offset = rows.offsetMinutes[row] as number;
  if (offset !== NO_OFFSET) return offset;
  const startMs = rows.startMs[row] as number;
  if (rows.kind[row] === SAMPLE_KIND_CODE.daily_total && startMs % MS_PER_DAY === 0) return 0;
  return timeline.offsetAt(startMs);
}

/** Fills in a row's missing end and offset from another version. Does nothing if the versions have different starts. */
export function fillUnknown(rows: SampleRows, row: number, known: SampleRows, at: number): void {
  if (rows.startMs[row] !== known.startMs[at]) return;
  if (rows.offsetMinutes[row] === NO_OFFSET) rows.offsetMinutes[row] = known.offsetMinutes[at] as number;
  if (Number.isNaN(rows.durationMs[row])) rows.durationMs[row] = known.durationMs[at] as number;
}

/** Returns the rows that fulfill a condition, ascending. */
export function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const chosen = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (holds(row)) chosen[count++] = row;
  return chosen.subarray(0, count);
}

/** Returns the rows at `positions`, in that order. */
export function takeRows(rows: SampleRows, positions: Uint32Array): SampleRows {
  const pick = <T extends Int16Array | Int32Array | Uint8Array | Float64Array>(from: T, to: T): T => {
    for (let index = 0; index < positions.length; index++) to[index] = from[positions[index] as number] as number;
    return to;
  };
  const length = positions.length;
  return {
    length,
    typeId: pick(rows.typeId, new Int16Array(length)),
    sourceId: pick(rows.sourceId, new Int32Array(length)),
    kind: pick(rows.kind, new Uint8Array(length)),
    slot: pick(rows.slot, new Int32Array(length)),
    startMs: pick(rows.startMs, new Float64Array(length)),
    durationMs: pick(rows.durationMs, new Float64Array(length)),
    offsetMinutes: pick(rows.offsetMinutes, new Int16Array(length)),
    value: pick(rows.value, new Float64Array(length)),
  };
}

/**
 * Returns the second in which a sample starts. Samples are compared by second, because exports contain no fractions.
 */
export function startSecond(rows: SampleRows, at: number): number {
  return Math.floor((rows.startMs[at] as number) / 1000);
}

/** Returns the second in which a sample ends. */
export function endSecond(rows: SampleRows, at: number): number {
  return Math.floor(((rows.startMs[at] as number) + (rows.durationMs[at] || 0)) / 1000);
}

/** Samples of one series that start in [fromMs, toMs). Covers all sources if no source is named. */
export interface SampleRange {
  typeId: number;
  sourceIds?: number[];
  /** Covers all kinds if undefined. */
  kindCode?: number;
  fromMs: number;
  toMs: number;
}

/** Samples of one series that start in [fromMs, toMs). */
export interface SampleSpan {
  typeId: number;
  fromMs: number;
  toMs: number;
}

/** Returns the spans in order and without overlaps, so that no sample is read twice. */
export function joinedSpans(spans: readonly SampleSpan[]): SampleSpan[] {
  const joined: SampleSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.typeId - b.typeId || a.fromMs - b.fromMs)) {
    if (span.fromMs >= span.toMs) continue;
    const last = joined.at(-1);
    if (last?.typeId === span.typeId && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs);
    else joined.push({ ...span });
  }
  return joined;
}

/** Identity of a user's sample. */
export interface SampleKey {
  typeId: number;
  startMs: number;
  sourceId: number;
  slot: number;
}

export function sampleKeyOf(rows: SampleRows, row: number): SampleKey {
  return {
    typeId: rows.typeId[row] as number,
    startMs: rows.startMs[row] as number,
    sourceId: rows.sourceId[row] as number,
    slot: rows.slot[row] as number,
  };
}
