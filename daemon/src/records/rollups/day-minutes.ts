import { SAMPLE_KIND_CODE, seriesTypeByCode } from '@healthd/model';
import type { DaySamples } from './day-samples.js';

export const HEART_RATE_TYPE_ID = seriesTypeByCode('heart_rate').id;
export const STEPS_TYPE_ID = seriesTypeByCode('steps').id;

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const MINUTES_PER_DAY = 1_440;
/** How long a heart rate without an interval of its own is taken to last, at most. */
const HEART_RATE_CAP_MS = 5 * MS_PER_MINUTE;
/** Steps in a minute from which on the minute is active. */
const ACTIVE_STEPS_PER_MINUTE = 30;
/** Parts of an interval add up to the whole only within the rounding of floats. */
const ROUNDING = 1e-9;
/** Bins are stored as int2. */
const HIGHEST_BPM = 16_383;

/** Heart rate of one local day of one source; minutes are 1440 characters `0` or `1`, the first is 00:00. */
export interface HeartRateMinutes {
  /** Ascending; 2 * floor(bpm), plus 1 when the value has a fraction. */
  bins: number[];
  /** Seconds spent in each bin. */
  seconds: number[];
  minutes: string;
}

/** Steps of one local day of one source: minutes that a sample touches, and those with 30 steps or more. */
export interface StepMinutes {
  tracked: string;
  active: string;
}

/**
 * Each reading lasts for its own interval, or until the next reading of the same day, at most five minutes; nothing
 * reaches beyond local midnight. Undefined when the day has no ordinary reading.
 */
export function heartRateMinutesOf(samples: DaySamples): HeartRateMinutes | undefined {
  const readings = ordinary(samples);
  if (readings.length === 0) return undefined;
  const secondsOfBin = new Map<number, number>();
  const covered = new Uint8Array(MINUTES_PER_DAY);
  for (let index = 0; index < readings.length; index++) {
    const { startMs, durationMs, value } = readings[index] as Reading;
    const nextMs = readings[index + 1]?.startMs ?? MS_PER_DAY;
    const lastsMs = durationMs > 0 ? durationMs : Math.min(nextMs - startMs, HEART_RATE_CAP_MS);
    const endMs = Math.min(startMs + Math.max(lastsMs, 0), MS_PER_DAY);
    const bpm = Math.min(Math.max(value, 0), HIGHEST_BPM);
    const bin = 2 * Math.floor(bpm) + (Number.isInteger(bpm) ? 0 : 1);
    secondsOfBin.set(bin, (secondsOfBin.get(bin) ?? 0) + (endMs - startMs) / 1000);
    cover(covered, startMs, endMs);
  }
  const bins = [...secondsOfBin.keys()].sort((a, b) => a - b);
  return { bins, seconds: bins.map((bin) => secondsOfBin.get(bin) as number), minutes: bitsOf(covered) };
}

/** Steps are spread evenly over their interval; a sample without one belongs to its minute. */
export function stepMinutesOf(samples: DaySamples): StepMinutes | undefined {
  const readings = ordinary(samples);
  if (readings.length === 0) return undefined;
  const tracked = new Uint8Array(MINUTES_PER_DAY);
  const steps = new Float64Array(MINUTES_PER_DAY);
  for (const { startMs, durationMs, value } of readings) {
    const endMs = Math.min(durationMs > 0 ? startMs + durationMs : startMs, MS_PER_DAY);
    cover(tracked, startMs, endMs);
    if (!(durationMs > 0)) {
      const minute = Math.floor(startMs / MS_PER_MINUTE);
      steps[minute] = (steps[minute] as number) + value;
      continue;
    }
    for (let minute = Math.floor(startMs / MS_PER_MINUTE); minute * MS_PER_MINUTE < endMs; minute++) {
      const from = Math.max(startMs, minute * MS_PER_MINUTE);
      const to = Math.min(endMs, (minute + 1) * MS_PER_MINUTE);
      steps[minute] = (steps[minute] as number) + (value * (to - from)) / durationMs;
    }
  }
  return {
    tracked: bitsOf(tracked),
    active: bitsOf(Uint8Array.from(steps, (count) => (count >= ACTIVE_STEPS_PER_MINUTE - ROUNDING ? 1 : 0))),
  };
}

interface Reading {
  startMs: number;
  durationMs: number;
  value: number;
}

function ordinary({ rows, positions, localMs }: DaySamples): Reading[] {
  const readings: Reading[] = [];
  for (let index = 0; index < positions.length; index++) {
    const row = positions[index] as number;
    if (rows.kind[row] !== SAMPLE_KIND_CODE.sample) continue;
    readings.push({
      startMs: localMs[index] as number,
      durationMs: rows.durationMs[row] as number,
      value: rows.value[row] as number,
    });
  }
  // Where the offset changes within a day, wall-clock order differs from the order of instants.
  return readings.sort((a, b) => a.startMs - b.startMs);
}

/** Marks the minutes that [startMs, endMs) touches; an instant touches its own. */
function cover(minutes: Uint8Array, startMs: number, endMs: number): void {
  const first = Math.floor(startMs / MS_PER_MINUTE);
  const end = Math.max(first + 1, Math.ceil(endMs / MS_PER_MINUTE));
  minutes.fill(1, first, end);
}

function bitsOf(minutes: Uint8Array): string {
  return minutes.join('');
}
