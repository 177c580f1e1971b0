import type { WorkoutRecord, WorkoutType } from '@healthd/model';
import type { FitActivity, FitReading } from '../fit/index.js';

type WorkoutFormat = 'fit' | 'gpx' | 'tcx';

/** Figures of a whole workout, as its file contains them. */
export type FileFigures = Pick<
  WorkoutRecord,
  | 'durationSeconds'
  | 'distanceMeters'
  | 'totalCaloriesKcal'
  | 'stepsCount'
  | 'heartRateMin'
  | 'heartRateAvg'
  | 'heartRateMax'
  | 'averageSpeed'
  | 'maxSpeed'
  | 'averageWatts'
  | 'maxWatts'
  | 'averageCadence'
  | 'elevationGainMeters'
  | 'elevationLowMeters'
  | 'elevationHighMeters'
  | 'indoor'
  | 'activities'
  | 'metadata'
>;

/** A workout as its file describes it. Cadences as in the file; all other figures in the units of a workout. */
export interface FileWorkout {
  format: WorkoutFormat;
  type: WorkoutType;
  name?: string;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
  /** Name of the device that recorded the workout. */
  device?: string;
  /** Application that wrote the file. */
  application?: string;
  figures: FileFigures;
  /** Factor from the file's cadence to the stored cadence; undefined if the cadence must not be stored. */
  cadenceFactor: number | undefined;
  laps: FitActivity['laps'];
  pauses: FitActivity['pauses'];
  /** Readings by instant, in milliseconds since 1970. */
  readings: ReadonlyMap<number, FitReading>;
  /** True if the end of the file is missing. */
  isIncomplete?: true;
}
