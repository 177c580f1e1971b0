import { type Tally, type VendorApi, VendorError, type VendorErrorCode, type VendorRequest } from '../cloud/index.js';

/** Failures that concern one item. All others concern the person, the deployment or the quota. */
const OF_ONE: readonly VendorErrorCode[] = [
  'scope_missing',
  'invalid_request',
  'conflict',
  'not_found',
  'invalid_answer',
];

/** What is asked of one item beside the list that it is in. */
export interface ItemRequest<T> {
  /** The item's position in the reading. */
  index: number;
  /** What is asked for, as rejections name it. */
  part: string;
  /** Shows whether the vendor answers at all. */
  probe: VendorRequest;
  ask(): Promise<T>;
  /** Whether a failure that may pass is thrown, so that the item is read again, and does not count; default: it never is. */
  isTriedAgain?(): boolean;
}

/**
 * What the vendor gives of one item beside the list. Where it refuses, this part of the item is counted as rejected, and the
 * rest is stored.
 * @returns undefined where the vendor does not give it
 * @throws VendorError where the vendor gives nothing of others either, or the item is to be read again
 */
export async function askOfOne<T extends object>(
  api: VendorApi,
  tally: Tally,
  { index, part, probe, ask, isTriedAgain = () => false }: ItemRequest<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    if (error.code === 'unavailable') {
      if (isTriedAgain()) throw error;
      await api.call(probe);
    } else if (!OF_ONE.includes(error.code)) throw error;
    tally.reject(index, part, 'not_given', error.message);
    return undefined;
  }
}
