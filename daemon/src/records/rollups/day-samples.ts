import type { OffsetTimeline } from '../offset-timeline.js';
import { effectiveOffset, type SampleRows } from '../samples/sample-rows.js';

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

/** One series of one source on one local day: rows in order of start, and where its wall-clock minutes begin. */
export interface DaySamples {
  typeId: number;
  sourceId: number;
  day: number;
  rows: SampleRows;
  positions: number[];
  /** Milliseconds since the local midnight of its day for each of `rows`. */
  localMs: ArrayLike<number>;
}

/** Gathers rows, ascending by start, into local days. Only the days that `wanted` names are kept. */
export function splitIntoDays(
  rows: SampleRows,
  positions: ArrayLike<number>,
  timeline: OffsetTimeline,
  wanted: (typeId: number, sourceId: number, day: number) => boolean,
): DaySamples[] {
  const days = new Map<string, DaySamples | undefined>();
  const current = new Map<number, DaySamples | undefined>();
  const split: DaySamples[] = [];
  const localMsOfRow = new Float64Array(rows.length);
  for (let index = 0; index < positions.length; index++) {
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
    samples.positions.push(position);
    localMsOfRow[position] = localMs - day * MS_PER_DAY;
  }
  return split;
}
