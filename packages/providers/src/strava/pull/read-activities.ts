import { MS_PER_SECOND } from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { numberIdOf } from '../../rest/index.js';

export const LIST = '/athlete/activities';
/** The most that the vendor gives in one page. */
const PAGE_SIZE = 200;
/** Far more than a window can have; a vendor that goes on beyond it sends something else than was asked. */
const MAX_PAGES = 50;

/** One activity's address. @param id digits */
export const activityPath = (id: string) => `/activities/${id}`;

/**
 * Activities that start in the range. The end is an empty page: a short one is none.
 * @throws VendorError, `invalid_answer` when an answer has another shape or a page brings nothing new
 */
export async function readActivities(api: VendorApi, { startMs, endMs }: TimeRange): Promise<unknown[]> {
  // Whether the bounds belong to what is asked for is not said.
  const after = Math.floor(startMs / MS_PER_SECOND) - 1;
  const before = Math.ceil(endMs / MS_PER_SECOND) + 1;
  const activities: unknown[] = [];
  const seen = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await api.call({ path: LIST, query: { after, before, page, per_page: PAGE_SIZE } });
    // What is taken for the end, or for an empty window, has what is stored of it deleted.
    if (!Array.isArray(answer)) throw new VendorError({ code: 'invalid_answer', reason: 'activities' });
    if (answer.length === 0) return activities;
    const fresh = answer.filter((one) => !seen.has(keyOf(one)));
    if (fresh.length === 0) break;
    for (const one of fresh) {
      seen.add(keyOf(one));
      activities.push(one);
    }
  }
  throw new VendorError({ code: 'invalid_answer', reason: 'repeated_page' });
}

/** The vendor's id; of what has none, all of it. */
function keyOf(activity: unknown): string {
  return (isObject(activity) && numberIdOf(activity.id)) || JSON.stringify(activity);
}

/**
 * An activity with what the list leaves out: its energy.
 * @returns undefined where it is gone meanwhile
 * @throws VendorError
 */
export async function withDetails(api: VendorApi, activity: PayloadObject): Promise<PayloadObject | undefined> {
  const id = numberIdOf(activity.id);
  if (id === undefined) return activity;
  try {
    const details = await api.call({ path: activityPath(id) });
    if (!isObject(details)) throw new VendorError({ code: 'invalid_answer', reason: 'details' });
    return { ...activity, ...details };
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}
