import { TOO_MANY_ITEMS, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { idOf, isObject, numberOf } from '../../payload/index.js';
import { requireAtMost } from '../../rest/index.js';

/** Path of the list. A workout's own path is below it and ends with its key. */
export const WORKOUTS = '/v3/workouts/';
/** Maximum page size to request. */
export const WORKOUTS_PER_PAGE = 100;
/**
 * Maximum number of pages of a list that is not sorted newest first. Less than the requests per minute in the developer
 * tier, because a reading that needs more requests would never end.
 */
const MAX_PAGES = 8;

/** Maximum number of workouts in a response: ten times the requested page size, which the vendor respects. */
const MAX_WORKOUTS_IN_RESPONSE = 10 * WORKOUTS_PER_PAGE;

/** Time of workouts to filter by. */
type By = 'start' | 'change';

/**
 * Requests one page of the list. @param query `since` is inclusive, `until` exclusive, in milliseconds. @throws
 * VendorError
 */
export async function requestWorkouts(
  api: VendorApi,
  { by, ...query }: { by: By; since: number; until?: number; limit: number; offset: number },
): Promise<unknown> {
  return api.call({ path: WORKOUTS, query: { ...query, 'filter-by-modification-time': String(by === 'change') } });
}

/**
 * Returns the content of an envelope; undefined for an empty response. @throws VendorError `invalid_answer` if the
 * envelope is missing or reports a failure
 */
export function payloadOf(response: unknown): unknown {
  if (response === undefined) return undefined;
  if (!isObject(response)) throw new VendorError({ code: 'invalid_answer', reason: 'envelope' });
  if (response.error !== undefined && response.error !== null) {
    throw new VendorError({ code: 'invalid_answer', reason: 'error_in_envelope' });
  }
  return response.payload;
}

/** Workouts of the newest part of a range, and the start of that part. */
export interface ListedWorkouts {
  workouts: unknown[];
  fromMs: number;
  /** True if the vendor confirmed that the list is complete. An empty response does not confirm completeness. */
  isComplete: boolean;
}

/**
 * Lists workouts that start in a range, or were changed in it. A full page in descending order is complete for the time
 * that it covers and takes one request. If the vendor sends another order, reads pages until a page is not full.
 * @throws VendorError, `invalid_answer` if the response has an unexpected shape, a page adds nothing new, or the list
 * never ends
 */
export async function readWorkouts(api: VendorApi, by: By, { startMs, endMs }: TimeRange): Promise<ListedWorkouts> {
  const found = new Map<string, unknown>();
  for (let page = 0, offset = 0; page < MAX_PAGES; page++) {
    const query = { by, since: Math.floor(startMs), until: Math.ceil(endMs), limit: WORKOUTS_PER_PAGE, offset };
    const workouts = payloadOf(await requestWorkouts(api, query));
    if (workouts === undefined || workouts === null) {
      return { workouts: [...found.values()], fromMs: startMs, isComplete: false };
    }
    // Treating the response as an empty window would delete stored data.
    if (!Array.isArray(workouts)) throw new VendorError({ code: 'invalid_answer', reason: 'workouts' });
    requireAtMost(MAX_WORKOUTS_IN_RESPONSE, workouts.length);
    const before = found.size;
    for (const workout of workouts) found.set(keyOf(workout), workout);
    if (workouts.length < WORKOUTS_PER_PAGE)
      return { workouts: [...found.values()], fromMs: startMs, isComplete: true };
    const fromMs = page === 0 ? oldestOf(workouts, by) : undefined;
    if (fromMs !== undefined && fromMs > startMs && fromMs < endMs) return { workouts, fromMs, isComplete: true };
    if (found.size === before) throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page' });
    offset += workouts.length;
  }
  throw new VendorError({ code: 'invalid_answer', reason: TOO_MANY_ITEMS });
}

/**
 * Returns the start of the time that a descending page covers. It is just after the page's oldest workout, because
 * other workouts may share that workout's time.
 */
function oldestOf(workouts: readonly unknown[], by: By): number | undefined {
  const member = by === 'start' ? 'startTime' : 'lastModified';
  const times = workouts.map((workout) => (isObject(workout) ? numberOf(workout[member]) : undefined));
  const isNewestFirst = times.every((time, at) => {
    const previous = at === 0 ? time : times[at - 1];
    return time !== undefined && previous !== undefined && time <= previous;
  });
  const oldest = times.at(-1);
  return isNewestFirst && oldest !== undefined ? Math.floor(oldest) + 1 : undefined;
}

/** Returns the vendor's key, or the whole workout as text if it has no key. */
function keyOf(workout: unknown): string {
  return (isObject(workout) && idOf(workout.workoutKey)) || JSON.stringify(workout);
}
