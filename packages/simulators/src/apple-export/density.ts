/** Amount of data per day. A year is about 40 MB `light`, 210 MB `normal`, 530 MB `dense`. */
export type Density = 'light' | 'normal' | 'dense';

export interface Intervals {
  /** Length of one step, distance or energy record. */
  slotMinutes: number;
  basalMinutes: number;
  heartRateSeconds: number;
  workoutHeartRateSeconds: number;
}

export const INTERVALS: Readonly<Record<Density, Intervals>> = {
  light: { slotMinutes: 60, basalMinutes: 120, heartRateSeconds: 1200, workoutHeartRateSeconds: 60 },
  normal: { slotMinutes: 10, basalMinutes: 15, heartRateSeconds: 240, workoutHeartRateSeconds: 5 },
  dense: { slotMinutes: 3, basalMinutes: 5, heartRateSeconds: 60, workoutHeartRateSeconds: 5 },
};
