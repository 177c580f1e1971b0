import type { WorkoutType } from '@healthd/model';

const ON_FOOT: ReadonlySet<WorkoutType> = new Set(['running', 'trail_running', 'treadmill', 'walking', 'hiking']);

/** What a cadence is multiplied by where the vendor counts one leg of those on foot: a cadence is that of both. */
export function cadenceFactor(type: WorkoutType): number {
  return ON_FOOT.has(type) ? 2 : 1;
}
