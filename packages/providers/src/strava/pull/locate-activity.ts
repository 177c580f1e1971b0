import { Tally, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { ACTIVITY } from '../webhook.js';
import { activityPath } from './read-activities.js';
import { placedActivity } from './workout.js';

/**
 * When an activity was, of which an event gives only the id.
 * @returns undefined where the vendor has none of this id
 * @throws VendorError, `invalid_answer` for one without a place in time
 */
export async function locateActivity(api: VendorApi, id: string): Promise<TimeRange | undefined> {
  try {
    const placed = placedActivity(await api.call({ path: activityPath(id) }), new Tally(ACTIVITY));
    if (!placed) throw new VendorError({ code: 'invalid_answer', reason: 'start_date' });
    return { startMs: placed.startMs, endMs: placed.endMs };
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return undefined;
    throw error;
  }
}
