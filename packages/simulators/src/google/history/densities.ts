import { MS_PER_MINUTE } from '@healthd/model';
/** Sampling intervals of a generated history. */
export interface Density {
  /** Length of the tracker's movement intervals. */
  movementMs: number;
  basalMs: number;
  heartRateMs: number;
  workoutHeartRateMs: number;
  /** Interval of sleep samples: variability and oxygen. */
  sleepSampleMs: number;
}

export const DENSITIES: Readonly<Record<'light' | 'full', Density>> = {
  full: {
    movementMs: MS_PER_MINUTE,
    basalMs: 15 * MS_PER_MINUTE,
    heartRateMs: 5 * MS_PER_MINUTE,
    workoutHeartRateMs: MS_PER_MINUTE / 2,
    sleepSampleMs: 5 * MS_PER_MINUTE,
  },
  light: {
    movementMs: 30 * MS_PER_MINUTE,
    basalMs: 60 * MS_PER_MINUTE,
    heartRateMs: 60 * MS_PER_MINUTE,
    workoutHeartRateMs: 10 * MS_PER_MINUTE,
    sleepSampleMs: 120 * MS_PER_MINUTE,
  },
};
