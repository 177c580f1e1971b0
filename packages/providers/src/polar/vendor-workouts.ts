import { VendorError, type VendorWorkouts } from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { EXERCISES, exercisePath, instantOfExercise, listExercises } from './pull/index.js';

const ALL_PARTS = { samples: 'true', zones: 'true', route: 'true' };

/** Exercises in the vendor's own form: those of the last 30 days, as the vendor knows no other list. */
export const POLAR_WORKOUTS: VendorWorkouts = {
  dataType: EXERCISES,
  async list(api, { since, limit }) {
    const exercises = await listExercises(api, { zones: 'true' });
    const sinceMs = since?.getTime() ?? Number.NEGATIVE_INFINITY;
    return exercises
      .filter(isObject)
      .map((exercise) => ({ exercise, atMs: instantOfExercise(exercise) }))
      .filter(({ atMs }) => !(atMs < sinceMs))
      .sort((a, b) => b.atMs - a.atMs)
      .slice(0, limit)
      .map(({ exercise }) => exercise);
  },
  async get(api, id) {
    const path = exercisePath(id);
    if (path === undefined) throw new VendorError({ code: 'not_found' });
    return api.call({ path, query: ALL_PARTS });
  },
};
