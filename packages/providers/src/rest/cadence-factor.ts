import type { WorkoutType } from '@healthd/model';

const ON_FOOT: ReadonlySet<WorkoutType> = new Set([
  'running',
  'trail_running',
  'treadmill',
  'walking',
  'hiking',
  'orienteering',
  'snowshoeing',
]);
const MIXED: ReadonlySet<WorkoutType> = new Set(['multisport', 'triathlon']);

/**
 * Returns the factor from a vendor's cadence to the stored cadence. On foot, the vendor counts one leg, and stored
 * cadences count both legs.
 * @returns undefined for multisport workouts, whose cadences are of legs, pedals and arms
 */
export function cadenceFactor(type: WorkoutType): number | undefined {
  if (MIXED.has(type)) return undefined;
  return ON_FOOT.has(type) ? 2 : 1;
}
