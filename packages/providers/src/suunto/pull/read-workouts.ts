import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { idOf, isObject, numberOf } from '../../payload/index.js';

/** The list; a single workout is below it, by its key. */
export const WORKOUTS = '/v3/workouts/';
/** The most that is asked for in one page. */
export const WORKOUTS_PER_PAGE = 100;
/** Far more than a window can have; a vendor that goes on beyond it sends something else than was asked. */
const MAX_PAGES = 100;

/** Which times of workouts are looked at. */
type By = 'start' | 'change';

/** One page of the list. @param query `since` is included, `until` is not, in milliseconds. @throws VendorError */
export async function askWorkouts(
  api: VendorApi,
  { by, ...query }: { by: By; since: number; until?: number; limit: number; offset: number },
): Promise<unknown> {
  return api.call({ path: WORKOUTS, query: { ...query, 'filter-by-modification-time': String(by === 'change') } });
}

/** What an envelope holds; undefined where the answer is empty. @throws VendorError `invalid_answer` where there is none, or the vendor reports a failure in it */
export function payloadOf(answer: unknown): unknown {
  if (answer === undefined) return undefined;
  if (!isObject(answer)) throw new VendorError({ code: 'invalid_answer', reason: 'envelope' });
  if (answer.error !== undefined && answer.error !== null) {
    throw new VendorError({ code: 'invalid_answer', reason: 'error_in_envelope' });
  }
  return answer.payload;
}

/** Workouts of the newest part of a range, and where that part begins. */
export interface ListedWorkouts {
  workouts: unknown[];
  fromMs: number;
  /** Whether the vendor said that these are all; an empty answer says nothing. */
  isComplete: boolean;
}

/**
 * Workouts that start in a range, or were changed in it. A page that is full and newest first is all there is of the time that
 * it covers, and one request; where the vendor sends another order, all pages are read together. The end is a page that is not
 * full.
 * @throws VendorError, `invalid_answer` when an answer has another shape or a page brings nothing new
 */
export async function readWorkouts(api: VendorApi, by: By, { startMs, endMs }: TimeRange): Promise<ListedWorkouts> {
  const found = new Map<string, unknown>();
  for (let page = 0, offset = 0; page < MAX_PAGES; page++) {
    const query = { by, since: Math.floor(startMs), until: Math.ceil(endMs), limit: WORKOUTS_PER_PAGE, offset };
    const workouts = payloadOf(await askWorkouts(api, query));
    if (workouts === undefined || workouts === null) {
      return { workouts: [...found.values()], fromMs: startMs, isComplete: false };
    }
    // What is taken for the end, or for an empty window, has what is stored of it deleted.
    if (!Array.isArray(workouts)) throw new VendorError({ code: 'invalid_answer', reason: 'workouts' });
    const before = found.size;
    for (const workout of workouts) found.set(keyOf(workout), workout);
    if (workouts.length < WORKOUTS_PER_PAGE)
      return { workouts: [...found.values()], fromMs: startMs, isComplete: true };
    const fromMs = page === 0 ? oldestOf(workouts, by) : undefined;
    if (fromMs !== undefined && fromMs > startMs && fromMs < endMs) return { workouts, fromMs, isComplete: true };
    if (found.size === before) break;
    offset += workouts.length;
  }
  throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page' });
}

/** Where the time of a page begins that is newest first: after the oldest, beside which there may be others. */
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

/** The vendor's key; of what has none, all of it. */
function keyOf(workout: unknown): string {
  return (isObject(workout) && idOf(workout.workoutKey)) || JSON.stringify(workout);
}
