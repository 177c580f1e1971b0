import { type Tally, type VendorApi, VendorError, type VendorErrorCode } from '../../cloud/index.js';
import { LIST } from './read-activities.js';

/** Failures that concern one activity. All others concern the person, the deployment or the quota. */
const OF_ONE: readonly VendorErrorCode[] = [
  'scope_missing',
  'invalid_request',
  'conflict',
  'not_found',
  'invalid_answer',
];

/**
 * What the vendor gives of one activity beside the list. Where it refuses, this part of the activity is counted as
 * rejected, and the rest of the window is stored.
 * @returns undefined where the vendor does not give it
 * @throws VendorError where the vendor gives nothing of others either
 */
export async function askOfOne<T extends object>(
  api: VendorApi,
  tally: Tally,
  { index, part }: { index: number; part: string },
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    // Whether the whole vendor fails is seen by the list.
    if (error.code === 'unavailable') await api.call({ path: LIST, query: { per_page: 1 } });
    else if (!OF_ONE.includes(error.code)) throw error;
    tally.reject(index, part, 'not_given', error.message);
    return undefined;
  }
}
