import { MS_PER_SECOND } from '@healthd/model';
import type { FitActivity, FitReading } from '../fit/index.js';
import { DocumentError } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';
import type { XmlNode } from './xml-tree.js';

/** A measured point of a track. */
export interface TrackPoint {
  atMs: number;
  reading: FitReading;
}

/** Maximum number of workouts in a file. More workouts would fill the memory of the thread that stores them. */
const MAX_WORKOUTS = 1_000;

/** Maps elements to workouts. Skips elements without a time. @throws DocumentError `too_many_workouts` */
export function workoutsOf(
  nodes: readonly XmlNode[],
  workoutOf: (node: XmlNode) => FileWorkout | undefined,
): FileWorkout[] {
  const workouts: FileWorkout[] = [];
  for (const node of nodes) {
    const workout = workoutOf(node);
    if (!workout) continue;
    if (workouts.push(workout) > MAX_WORKOUTS) throw new DocumentError('too_many_workouts');
  }
  return workouts;
}

const EARTH_METERS = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Returns the readings by instant, in order of time. Joins several points of one instant. */
export function readingsOf(points: readonly TrackPoint[]): Map<number, FitReading> {
  const readings = new Map<number, FitReading>();
  for (const { atMs, reading } of points.toSorted((a, b) => a.atMs - b.atMs)) {
    readings.set(atMs, { ...readings.get(atMs), ...reading });
  }
  return readings;
}

/** Returns the length of a line through the points in meters; undefined with fewer than two positions. */
export function lengthOf(points: readonly TrackPoint[]): number | undefined {
  let meters = 0;
  let positions = 0;
  let last: FitReading | undefined;
  for (const { reading } of points) {
    if (reading.latitude === undefined) continue;
    positions++;
    if (last) meters += metersBetween(last, reading);
    last = reading;
  }
  return positions < 2 ? undefined : meters;
}

/** Returns the great-circle distance of two positions in meters. */
function metersBetween(a: FitReading, b: FitReading): number {
  const [fromLat = 0, toLat = 0] = [a.latitude, b.latitude].map((degrees = 0) => degrees * RADIANS);
  const lat = Math.sin((toLat - fromLat) / 2);
  const lon = Math.sin((((b.longitude ?? 0) - (a.longitude ?? 0)) * RADIANS) / 2);
  const half = lat * lat + Math.cos(fromLat) * Math.cos(toLat) * lon * lon;
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(half)));
}

/**
 * Shortest pause in seconds. Devices record up to eight seconds apart, and also start a new segment without a pause.
 */
const SHORTEST_PAUSE = 10;

/** Returns the times between the segments of a track, in which nothing was recorded. */
export function pausesBetween(segments: readonly (readonly TrackPoint[])[]): FitActivity['pauses'] {
  const spans = segments.flatMap((points) => spanOf(points) ?? []).sort((a, b) => a.startMs - b.startMs);
  const [first] = spans;
  let endMs = first?.endMs ?? 0;
  return spans.flatMap((span) => {
    const pause = { startMs: endMs, durationSeconds: (span.startMs - endMs) / MS_PER_SECOND };
    endMs = Math.max(endMs, span.endMs);
    return pause.durationSeconds >= SHORTEST_PAUSE ? [pause] : [];
  });
}

/** Returns the first and last instant; undefined without a point. */
export function spanOf(points: readonly TrackPoint[]): { startMs: number; endMs: number } | undefined {
  if (points.length === 0) return undefined;
  let startMs = Number.POSITIVE_INFINITY;
  let endMs = Number.NEGATIVE_INFINITY;
  for (const { atMs } of points) {
    if (atMs < startMs) startMs = atMs;
    if (atMs > endMs) endMs = atMs;
  }
  return { startMs, endMs };
}

/** Returns the extremes and the mean heart rate, altitudes and the greatest speed of the readings. */
export function figuresOf(readings: Iterable<FitReading>) {
  const rates = new Statistics();
  const altitudes = new Statistics();
  const speeds = new Statistics();
  const watts = new Statistics();
  const cadences = new Statistics();
  for (const { heartRate, elevation, speed, power, cadence } of readings) {
    rates.add(heartRate);
    altitudes.add(elevation);
    speeds.add(speed);
    watts.add(power);
    if (cadence !== 0) cadences.add(cadence);
  }
  return {
    heartRateMin: rates.least,
    heartRateAvg: rates.mean,
    heartRateMax: rates.greatest,
    elevationLowMeters: altitudes.least,
    elevationHighMeters: altitudes.greatest,
    maxSpeed: speeds.greatest,
    averageWatts: watts.mean,
    maxWatts: watts.greatest,
    averageCadence: cadences.mean,
  };
}

class Statistics {
  least: number | undefined;
  greatest: number | undefined;
  private sum = 0;
  private count = 0;

  add(value: number | undefined): void {
    if (value === undefined) return;
    if (this.least === undefined || value < this.least) this.least = value;
    if (this.greatest === undefined || value > this.greatest) this.greatest = value;
    this.sum += value;
    this.count++;
  }

  get mean(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count;
  }
}
