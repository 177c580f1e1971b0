import type { WorkoutRecord } from '@healthd/model';
import { sumOfParts } from '../sleep-seconds.js';
import type { FitActivity, FitReading, FitSession } from './activity-file.js';

type FileFigures = Pick<
  WorkoutRecord,
  | 'heartRateMin'
  | 'heartRateAvg'
  | 'heartRateMax'
  | 'elevationGainMeters'
  | 'elevationLowMeters'
  | 'elevationHighMeters'
>;

/**
 * Completes a workout's summary with figures of its file: heart rates, elevation. Prefers the watch's own figures to
 * the single readings. Never sums the climb from readings, because their noise would add up. A damaged file completes
 * nothing, because the maximum of a part is not the maximum of the workout.
 * @param readings the file's readings within the workout
 */
export function completeFromFile(
  workout: WorkoutRecord,
  { sessions, damage }: Pick<FitActivity, 'sessions' | 'damage'>,
  readings: Iterable<FitReading>,
): WorkoutRecord {
  if (damage !== undefined) return workout;
  const completed = { ...workout };
  for (const [name, figure] of Object.entries(figuresOf(sessions, readings)) as [keyof FileFigures, number][]) {
    completed[name] ??= figure;
  }
  return completed;
}

function figuresOf(sessions: readonly FitSession[], readings: Iterable<FitReading>): FileFigures {
  const rates = new Extremes();
  const altitudes = new Extremes();
  for (const { heartRate, elevation } of readings) {
    rates.add(heartRate);
    altitudes.add(elevation);
  }
  const [only] = sessions;
  return {
    heartRateMin: extremeOf(sessions, 'heartRateMin', Math.min) ?? rates.least,
    // A mean over several sports would require the duration of each sport.
    heartRateAvg: sessions.length === 1 ? only?.heartRateAvg : undefined,
    heartRateMax: extremeOf(sessions, 'heartRateMax', Math.max) ?? rates.greatest,
    elevationGainMeters:
      sessions.length === 0 ? undefined : sumOfParts(sessions.map(({ elevationGain }) => elevationGain)),
    elevationLowMeters: extremeOf(sessions, 'elevationLow', Math.min) ?? altitudes.least,
    elevationHighMeters: extremeOf(sessions, 'elevationHigh', Math.max) ?? altitudes.greatest,
  };
}

/** Returns the extreme over all sports; undefined if a sport lacks the figure. */
function extremeOf(
  sessions: readonly FitSession[],
  name: keyof FitSession,
  pick: (a: number, b: number) => number,
): number | undefined {
  const figures = sessions.map((session) => session[name]);
  return figures.reduce((a, b) => (a === undefined || b === undefined ? undefined : pick(a, b)), figures[0]);
}

class Extremes {
  least: number | undefined;
  greatest: number | undefined;

  add(value: number | undefined): void {
    if (value === undefined) return;
    if (this.least === undefined || value < this.least) this.least = value;
    if (this.greatest === undefined || value > this.greatest) this.greatest = value;
  }
}
