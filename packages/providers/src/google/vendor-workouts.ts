import type { VendorWorkouts } from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { sessionsFrom } from './pull/index.js';

const PATH = '/v4/users/me/dataTypes/exercise/dataPoints';
/** The vendor gives no more in one answer. */
const MAX_PAGE = 25;

/** Exercise of every source in the vendor's own form; the id is the last part of a point's `name`. */
export const GOOGLE_WORKOUTS: VendorWorkouts = {
  dataType: 'exercise',
  async list(api, { since, limit, pageToken }) {
    // Wall-clock times are all that exercise can be filtered by; it is the person's own.
    const filter = since && sessionsFrom('exercise', since.getTime());
    const answer = await api.call({ path: PATH, query: { filter, pageSize: Math.min(limit, MAX_PAGE), pageToken } });
    return since ? startedFrom(answer, since.getTime()) : answer;
  },
  get: (api, id) => api.call({ path: `${PATH}/${encodeURIComponent(id)}` }),
};

/** Leaves out what began before; what has no readable start stays, as the vendor gave it. */
function startedFrom(answer: unknown, sinceMs: number): unknown {
  if (!isObject(answer) || !Array.isArray(answer.dataPoints)) return answer;
  return { ...answer, dataPoints: answer.dataPoints.filter((point: unknown) => !(startOf(point) < sinceMs)) };
}

/** NaN where it cannot be read. */
function startOf(point: unknown): number {
  const interval = isObject(point) && isObject(point.exercise) ? point.exercise.interval : undefined;
  return isObject(interval) ? Date.parse(String(interval.startTime)) : Number.NaN;
}
