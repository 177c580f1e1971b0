import { type VendorApi, VendorError } from '../../cloud/index.js';
import { type FitActivity, FitError, readFitActivity } from '../../fit/index.js';
import { WORKOUTS } from './read-workouts.js';

/**
 * The file of a workout.
 * @param key the vendor's id of the workout
 * @returns undefined where the answer is empty
 * @throws VendorError, `not_found` where there is none, `unavailable` for one that is cut off before its first record, which
 * may pass, `invalid_answer` for another one that cannot be read, `scope_missing` where the vendor refuses files
 */
export async function readFit(api: VendorApi, key: string): Promise<FitActivity | undefined> {
  try {
    const bytes = await api.call({ path: `${WORKOUTS}${encodeURIComponent(key)}/fit`, answer: 'bytes' });
    return bytes instanceof Uint8Array ? readFitActivity(bytes) : undefined;
  } catch (error) {
    if (error instanceof FitError) {
      throw new VendorError({
        code: error.fault === 'truncated' ? 'unavailable' : 'invalid_answer',
        reason: error.fault,
      });
    }
    if (!(error instanceof VendorError) || error.status === undefined) throw error;
    // The list was answered just now, with the same token and key.
    const isRefused = error.code === 'unauthorized' || error.code === 'operator';
    throw isRefused ? new VendorError({ code: 'scope_missing', status: error.status }) : error;
  }
}
