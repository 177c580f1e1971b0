import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type { OffsetTimeline } from '../../facts/offsets/offset-timeline.js';
import { inPortions } from '../../facts/samples/in-portions.js';
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

/**
 * Groups rows, ascending by start, into local days. Returns only days for which `isRequested` returns true. Simultaneous
 * samples have a fixed order, so that results do not depend on the order of arrival.
 */
export function* splitIntoDays(
  rows: SampleRows,
  positions: ArrayLike<number>,
  timeline: OffsetTimeline,
  isRequested: (typeId: number, sourceId: number, day: number) => boolean,
): Generator<void, DaySamples[]> {
  const splitter = new DaySplitter(rows, positions, timeline, isRequested);
  yield* inPortions(positions.length, (from, to) => splitter.add(from, to));
  return splitter.result();
}

class DaySplitter {
  private readonly days = new Map<string, DaySamples | undefined>();
  private readonly current = new Map<number, DaySamples | undefined>();
  private readonly split: DaySamples[] = [];
  private readonly crowded = new Set<DaySamples>();
  private readonly localMs: Float64Array;

  constructor(
    private readonly rows: SampleRows,
    private readonly positions: ArrayLike<number>,
    private readonly timeline: OffsetTimeline,
    private readonly isRequested: (typeId: number, sourceId: number, day: number) => boolean,
  ) {
    this.localMs = new Float64Array(rows.length);
  }

  add(from: number, to: number): void {
    const { rows, positions, timeline, current, crowded, localMs } = this;
    for (let index = from; index < to; index++) {
      const position = positions[index] as number;
      const typeId = rows.typeId[position] as number;
      const sourceId = rows.sourceId[position] as number;
      const atMs = (rows.startMs[position] as number) + effectiveOffset(rows, position, timeline) * MS_PER_MINUTE;
      const day = Math.floor(atMs / MS_PER_DAY);
      const series = sourceId * 65_536 + typeId;
      let samples = current.get(series);
      if (samples?.day !== day) {
        samples = this.dayOf(typeId, sourceId, day);
        if (!samples) continue;
        current.set(series, samples);
      }
      const before = samples.positions.at(-1);
      if (before !== undefined && rows.startMs[before] === rows.startMs[position]) crowded.add(samples);
      samples.positions.push(position);
      localMs[position] = atMs - day * MS_PER_DAY;
    }
  }

  /** Returns the day's samples; undefined if the day is not requested. */
  private dayOf(typeId: number, sourceId: number, day: number): DaySamples | undefined {
    const key = `${typeId} ${sourceId} ${day}`;
    const { rows, localMs } = this;
    if (!this.days.has(key)) {
      const samples = this.isRequested(typeId, sourceId, day)
        ? { typeId, sourceId, day, rows, positions: [], localMs }
        : undefined;
      this.days.set(key, samples);
      if (samples) this.split.push(samples);
    }
    return this.days.get(key);
  }

  result(): DaySamples[] {
    const { rows } = this;
    for (const { positions } of this.crowded) positions.sort((a, b) => compareInTime(rows, a, b));
    return this.split;
  }
}

/** Compares by start, then end, then value, regardless of the order of storage. */
function compareInTime(rows: SampleRows, a: number, b: number): number {
  return (
    (rows.startMs[a] as number) - (rows.startMs[b] as number) ||
    (rows.durationMs[a] || 0) - (rows.durationMs[b] || 0) ||
    (rows.value[a] as number) - (rows.value[b] as number)
  );
}
