import type { VendorApi } from './vendor-api.js';

/** Query for a user's workouts, newest first. */
export interface VendorWorkoutsQuery {
  /** Only return workouts since this time. */
  since: Date | undefined;
  /** Maximum number of workouts. The vendor may return fewer per page. */
  limit: number;
  /** The vendor's token of the next page. */
  pageToken: string | undefined;
}

/** Returns workouts in the vendor's format without storing them. */
export interface VendorWorkouts {
  /** Data type that the user must have consented to, as `PullDataType.id`. */
  dataType: string;
  /**
   * Returns one page in the vendor's format.
   * @throws VendorError
   */
  list(api: VendorApi, query: VendorWorkoutsQuery): Promise<unknown>;
  /** @throws VendorError, `not_found` if the vendor has no such workout */
  get(api: VendorApi, id: string): Promise<unknown>;
}
