/** How finely a made-up life is recorded. */
export interface Density {
  /** Length of the tracker's intervals of movement. */
  movementMs: number;
  basalMs: number;
  heartRateMs: number;
  workoutHeartRateMs: number;
  /** Distance of the samples taken in sleep: variability, oxygen. */
  sleepSampleMs: number;
}

const MINUTE_MS = 60_000;

export const DENSITIES: Readonly<Record<'light' | 'full', Density>> = {
  full: {
    movementMs: MINUTE_MS,
    basalMs: 15 * MINUTE_MS,
    heartRateMs: 5 * MINUTE_MS,
    workoutHeartRateMs: MINUTE_MS / 2,
    sleepSampleMs: 5 * MINUTE_MS,
  },
  light: {
    movementMs: 30 * MINUTE_MS,
    basalMs: 60 * MINUTE_MS,
    heartRateMs: 60 * MINUTE_MS,
    workoutHeartRateMs: 10 * MINUTE_MS,
    sleepSampleMs: 120 * MINUTE_MS,
  },
};
