import {
  MINUTES_PER_DAY,
  MinuteBitmap,
  MS_PER_DAY,
  MS_PER_MINUTE,
  SAMPLE_KIND_CODE,
  seriesTypeByCode,
} from '@healthd/model';
import type { ArchivedDay } from '../../facts/archived/archived-day.js';
import type { HeartRateMinutes } from '../../facts/archived/heart-rate-minutes.js';
import { CountedTime } from './counted-time.js';
import type { DaySamples } from './day-samples.js';

export const HEART_RATE_TYPE_ID = seriesTypeByCode('heart_rate').id;
export const STEPS_TYPE_ID = seriesTypeByCode('steps').id;

/** Maximum time for which a heart rate counts. */
const HEART_RATE_CAP_MS = 5 * MS_PER_MINUTE;
/** Minimum number of steps of an active minute. */
const ACTIVE_STEPS_PER_MINUTE = 30;
/** Tolerance for float rounding when the parts of an interval are added up to the whole. */
const ROUNDING = 1e-9;
/** Maximum heart rate of a bin, because bins are stored as int2. */
const HIGHEST_BPM = 16_383;

// Buffers that are reused for each day, because a batch has thousands of days.
const covered = new MinuteBitmap();
const removed = new MinuteBitmap();
/** Steps per minute of samples that cover the minute partly or have no interval. */
const steps = new Float64Array(MINUTES_PER_DAY);
/** Change of the steps per minute at the start of each minute, for samples that cover it completely. */
const stepsFrom = new Float64Array(MINUTES_PER_DAY + 1);
const secondsOfBin = new Float64Array(2 * (HIGHEST_BPM + 1));
const isBinUsed = new Uint8Array(2 * (HIGHEST_BPM + 1));

/** Steps of one local day of one source: minutes with a sample, and minutes with 30 steps or more. */
export interface StepMinutes {
  tracked: string;
  active: string;
}

/**
 * Computes a day's heart-rate minutes. Each reading counts for its own interval, or until the day's next reading, but
 * at most five minutes. An hourly mean is imprecise for a single minute, so it counts only for its first five minutes.
 * No time counts twice: it belongs to the reading that started last, and among simultaneous readings to the shortest
 * reading. Time after local midnight does not count. `minutes` uses complete intervals, because the device was worn
 * then. Adds nothing within the minutes of removed readings, which are already counted. Returns undefined if the day
 * has neither stored nor removed readings.
 */
export function heartRateMinutesOf(samples: DaySamples, archived?: ArchivedDay): HeartRateMinutes | undefined {
  const { rows, localMs } = samples;
  const readings = ordinary(samples);
  const before = archived?.heartRate;
  if (readings.length === 0) return before;
  const bins: number[] = [];
  covered.setText(before?.minutes);
  removed.setText(before?.minutes);
  before?.bins.forEach((bin, index) => {
    isBinUsed[bin] = 1;
    secondsOfBin[bin] = before.seconds[index] as number;
    bins.push(bin);
  });
  const counted = new CountedTime();
  for (const index of lastFirst(readings, rows.startMs)) {
    const row = readings[index] as number;
    const startMs = localMs[row] as number;
    const durationMs = rows.durationMs[row] as number;
    const next = readings[index + 1];
    // Compares UTC timestamps: when clocks are set back, or a traveler flies west, hours of a day repeat.
    const atMs = rows.startMs[row] as number;
    const gapMs = next === undefined ? MS_PER_DAY : (rows.startMs[next] as number) - atMs;
    const countsMs = Math.min(durationMs > 0 ? durationMs : gapMs, HEART_RATE_CAP_MS, MS_PER_DAY - startMs);
    const bin = binOf(rows.value[row] as number);
    if (isBinUsed[bin] === 0) {
      isBinUsed[bin] = 1;
      secondsOfBin[bin] = 0;
      bins.push(bin);
    }
    counted.add(atMs, atMs + countsMs, (fromMs, toMs) => {
      const countedMs = before ? withoutRemoved(startMs + fromMs - atMs, startMs + toMs - atMs) : toMs - fromMs;
      secondsOfBin[bin] = (secondsOfBin[bin] as number) + countedMs / 1000;
    });
    covered.addInterval(startMs, Math.min(startMs + (durationMs > 0 ? durationMs : countsMs), MS_PER_DAY));
  }
  for (const bin of bins) isBinUsed[bin] = 0;
  bins.sort((a, b) => a - b);
  return { bins, seconds: bins.map((bin) => secondsOfBin[bin] as number), minutes: covered.toText() };
}

function binOf(value: number): number {
  const bpm = Math.min(Math.max(value, 0), HIGHEST_BPM);
  return 2 * Math.floor(bpm) + (Number.isInteger(bpm) ? 0 : 1);
}

/**
 * Returns the indexes of readings in descending order of start. Simultaneous readings have a fixed order, the shortest
 * reading first.
 */
function lastFirst(readings: readonly number[], startMs: ArrayLike<number>): number[] {
  const indexes: number[] = [];
  for (let end = readings.length; end > 0; ) {
    let first = end - 1;
    while (first > 0 && startMs[readings[first - 1] as number] === startMs[readings[first] as number]) first--;
    for (let index = first; index < end; index++) indexes.push(index);
    end = first;
  }
  return indexes;
}

/**
 * Computes a day's step minutes. Spreads steps evenly over their interval. The steps of a sample without an interval
 * belong to its minute. Minutes that were active because of removed samples stay active.
 */
export function stepMinutesOf(samples: DaySamples, archived?: ArchivedDay): StepMinutes | undefined {
  const { rows, localMs } = samples;
  const readings = ordinary(samples);
  if (readings.length === 0 && !archived) return undefined;
  covered.setText(archived?.minutes);
  steps.fill(0);
  stepsFrom.fill(0);
  for (const row of readings) {
    const startMs = localMs[row] as number;
    const durationMs = rows.durationMs[row] as number;
    const value = rows.value[row] as number;
    const endMs = Math.min(durationMs > 0 ? startMs + durationMs : startMs, MS_PER_DAY);
    covered.addInterval(startMs, endMs);
    addSteps(startMs, endMs, durationMs > 0 ? value / durationMs : undefined, value);
  }
  const tracked = covered.toText();
  covered.setText(archived?.activeMinutes);
  let perMinute = 0;
  for (let minute = 0; minute < MINUTES_PER_DAY; minute++) {
    perMinute += stepsFrom[minute] as number;
    const inMinute = (steps[minute] as number) + perMinute;
    if (inMinute >= ACTIVE_STEPS_PER_MINUTE - ROUNDING) covered.add(minute, minute + 1);
  }
  return { tracked, active: covered.toText() };
}

/**
 * Spreads the steps of an interval over its minutes in constant time.
 * @param perMs undefined for a reading without an interval, whose minute gets all of `value`
 */
function addSteps(startMs: number, endMs: number, perMs: number | undefined, value: number): void {
  const first = Math.floor(startMs / MS_PER_MINUTE);
  const last = Math.ceil(endMs / MS_PER_MINUTE) - 1;
  if (perMs === undefined) {
    addTo(steps, first, value);
    return;
  }
  if (first >= last) {
    addTo(steps, first, perMs * (endMs - startMs));
    return;
  }
  addTo(steps, first, perMs * ((first + 1) * MS_PER_MINUTE - startMs));
  addTo(steps, last, perMs * (endMs - last * MS_PER_MINUTE));
  addTo(stepsFrom, first + 1, perMs * MS_PER_MINUTE);
  addTo(stepsFrom, last, -perMs * MS_PER_MINUTE);
}

function addTo(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value;
}

/** Returns the rows of ordinary readings in order of start. */
function ordinary({ rows, positions }: DaySamples): number[] {
  return positions.filter((row) => rows.kind[row] === SAMPLE_KIND_CODE.sample);
}

/** Returns the part of [startMs, endMs) outside the minutes of removed readings. */
function withoutRemoved(startMs: number, endMs: number): number {
  let ms = 0;
  for (let minute = Math.floor(startMs / MS_PER_MINUTE); minute * MS_PER_MINUTE < endMs; minute++) {
    if (removed.has(minute)) continue;
    ms += Math.min(endMs, (minute + 1) * MS_PER_MINUTE) - Math.max(startMs, minute * MS_PER_MINUTE);
  }
  return ms;
}
