import { type WorkoutType, workoutFamily } from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { copyPairs, groupConnected, lengthMs, overlapMs, type TimeSpan } from './overlap-groups.js';
import { type RuleSource, selectSource } from './select-source.js';

/** A stored workout with the data that the rule needs. */
export interface RuleWorkout extends TimeSpan {
  source_id: number;
  type: string;
}

/** Minimum share of the shorter workout that two copies have in common. */
const COMMON_SHARE = 0.8;

/**
 * Groups the copies of each workout. Workouts of different sources are copies if they have the same family and overlap
 * by at least four fifths of the shorter workout. Yields between pieces of work.
 * @param ordered by start
 */
export function* groupWorkouts<Workout extends RuleWorkout>(ordered: readonly Workout[]): Generator<void, Workout[][]> {
  const pairs = yield* copyPairs(ordered, (a, b) => {
    const common = overlapMs(a, b);
    return (
      a.source_id !== b.source_id &&
      isSameFamily(a.type, b.type) &&
      common >= 0 &&
      common >= COMMON_SHARE * Math.min(lengthMs(a), lengthMs(b))
    );
  });
  return groupConnected(ordered, pairs);
}

/**
 * Keeps one source's workouts of each group of copies. Does not fill in figures that this source did not measure.
 * Yields between pieces of work.
 * @param ordered by start
 * @returns workouts by start
 */
export function* withoutCopies<Workout extends RuleWorkout>(
  ordered: readonly Workout[],
  rule: WorkoutRule,
): Generator<void, Workout[]> {
  const chosen = new Set<Workout>();
  for (const group of yield* groupWorkouts(ordered)) {
    yield;
    for (const workout of group.length === 1 ? group : bestCopies(group, rule)) chosen.add(workout);
  }
  return ordered.filter((workout) => chosen.has(workout));
}

interface WorkoutRule {
  priorities: Priorities;
  sourceOf(sourceId: number): RuleSource;
}

/** Returns the workouts of the source that wins among copies. */
function bestCopies<Workout extends RuleWorkout>(
  group: readonly Workout[],
  { priorities, sourceOf }: WorkoutRule,
): readonly Workout[] {
  const candidates = [...groupedBy(group, ({ source_id: id }) => id)].map(([id, own]) => ({
    source: sourceOf(id),
    lead: null,
    own,
  }));
  return selectSource(candidates, { priorities, enough: 'any', isSum: false }).winner?.own ?? [];
}

function isSameFamily(one: string, other: string): boolean {
  const [a, b] = [familyOf(one), familyOf(other)];
  return a === b || a === 'generic' || b === 'generic';
}

/** Returns the family of a type. An unknown type matches every family. */
function familyOf(type: string): string {
  return type === 'unknown' ? 'generic' : workoutFamily(type as WorkoutType);
}
