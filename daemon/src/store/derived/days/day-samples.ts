import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type { OffsetTimeline } from '../../facts/offsets/offset-timeline.js';
import { effectiveOffset, type SampleRows } from '../../facts/samples/sample-rows.js';

/** One series of one source on one local day: rows in order of start, and their local times. */
export interface DaySamples {
  typeId: number;
  sourceId: number;
  day: number;
  rows: SampleRows;
  positions: number[];
  /** Milliseconds since local midnight for each of `rows`. */
  localMs: ArrayLike<number>;
}

/** Number of rows processed between two yields to the event loop. Processing them takes a few milliseconds. */
const ROWS_AT_ONCE = 16_384;

/**
 * Groups rows, ascending by start, into local days. Returns only the `wanted` days. Simultaneous samples have a fixed
 * order, so that results do not depend on the order of arrival.
 */
export function* splitIntoDays(
  rows: SampleRows,
  positions: ArrayLike<number>,
  timeline: OffsetTimeline,
  wanted: (typeId: number, sourceId: number, day: number) => boolean,
): Generator<void, DaySamples[]> {
  const days = new Map<string, DaySamples | undefined>();
  const current = new Map<number, DaySamples | undefined>();
  const split: DaySamples[] = [];
  const crowded = new Set<DaySamples>();
  const localMsOfRow = new Float64Array(rows.length);
  for (let index = 0; index < positions.length; index++) {
    if (index % ROWS_AT_ONCE === 0) yield;
    const position = positions[index] as number;
    const typeId = rows.typeId[position] as number;
    const sourceId = rows.sourceId[position] as number;
    const localMs = (rows.startMs[position] as number) + effectiveOffset(rows, position, timeline) * MS_PER_MINUTE;
    const day = Math.floor(localMs / MS_PER_DAY);
    const series = sourceId * 65_536 + typeId;
    let samples = current.get(series);
    if (!samples || samples.day !== day) {
      const key = `${series} ${day}`;
      samples = days.get(key);
      if (!samples) {
        if (days.has(key)) continue;
        samples = wanted(typeId, sourceId, day)
          ? { typeId, sourceId, day, rows, positions: [], localMs: localMsOfRow }
          : undefined;
        days.set(key, samples);
        if (!samples) continue;
        split.push(samples);
      }
      current.set(series, samples);
    }
    const before = samples.positions.at(-1);
    if (before !== undefined && rows.startMs[before] === rows.startMs[position]) crowded.add(samples);
    samples.positions.push(position);
    localMsOfRow[position] = localMs - day * MS_PER_DAY;
  }
  for (const { positions: ofDay } of crowded) ofDay.sort((a, b) => compareInTime(rows, a, b));
  return split;
}

/** Compares by start, then end, then value, regardless of the order of storage. */
function compareInTime(rows: SampleRows, a: number, b: number): number {
  return (
    (rows.startMs[a] as number) - (rows.startMs[b] as number) ||
    (rows.durationMs[a] || 0) - (rows.durationMs[b] || 0) ||
    (rows.value[a] as number) - (rows.value[b] as number)
  );
}
