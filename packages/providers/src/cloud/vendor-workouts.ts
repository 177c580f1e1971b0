import type { VendorApi } from './vendor-api.js';

/** Which workouts of one person are wanted, newest first. */
export interface VendorWorkoutsQuery {
  /** Those from then on. */
  since: Date | undefined;
  /** So many at most, if the vendor gives as many in one answer. */
  limit: number;
  /** The vendor's own token of a further page. */
  pageToken: string | undefined;
}

/** Hands on workouts in the vendor's own form; nothing of it is stored. */
export interface VendorWorkouts {
  /** Kind of data that the person must have consented to, as `PullDataType.id`. */
  dataType: string;
  /** One page, as the vendor answers it. @throws VendorError */
  list(api: VendorApi, query: VendorWorkoutsQuery): Promise<unknown>;
  /** @throws VendorError, `not_found` where the vendor has no such workout */
  get(api: VendorApi, id: string): Promise<unknown>;
}
