import { type Tally, type VendorApi, VendorError, type VendorErrorCode, type VendorRequest } from '../cloud/index.js';

/** Failures that concern one item. Other failures concern the user, the deployment or the quota. */
const OF_ONE: readonly VendorErrorCode[] = [
  'scope_missing',
  'invalid_request',
  'conflict',
  'not_found',
  'invalid_answer',
];

/** A request for one item's data outside of its list. */
export interface ItemRequest<T> {
  /** The item's position in the reading. */
  index: number;
  /** Requested part, as named in rejections. */
  part: string;
  /** Request that shows whether the vendor responds at all. */
  probe: VendorRequest;
  ask(): Promise<T>;
  /** Returns true to throw a transient failure, so that the item is read again and not counted. Default: false. */
  isTriedAgain?(): boolean;
}

/**
 * Requests one item's data outside of its list. If the vendor rejects the request, counts this part as rejected and
 * stores the item's other parts.
 * @returns undefined if the vendor does not provide the part
 * @throws VendorError if the vendor rejects other requests too, or the item must be read again
 */
export async function requestItem<T extends object>(
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
