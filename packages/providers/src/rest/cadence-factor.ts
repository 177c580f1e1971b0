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
 * What a cadence is multiplied by where the vendor counts one leg of those on foot: a cadence is that of both.
 * @returns undefined for workouts of several sports, whose cadences are of legs, of pedals and of arms
 */
export function cadenceFactor(type: WorkoutType): number | undefined {
  if (MIXED.has(type)) return undefined;
  return ON_FOOT.has(type) ? 2 : 1;
}
