/** Unified workout types. */
export const WORKOUT_TYPES = ['running', 'other'] as const;
export type WorkoutType = (typeof WORKOUT_TYPES)[number];
