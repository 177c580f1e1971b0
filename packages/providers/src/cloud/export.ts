import type { TimeRange } from './time-range.js';
import type { VendorApi } from './vendor-api.js';

/** A data type that can be exported. */
export interface ExportType {
  /** Name in routes and reports. */
  id: string;
  /** Name in deliveries, see `DeliveredDataType.id`. */
  delivered: string;
}

/**
 * Historical exports of a user, requested by data type and window. The vendor accepts a request and sends the data
 * later among ordinary deliveries. It never sends an accepted window twice.
 */
export interface ExportAdapter {
  /** Data types in request order. */
  types: readonly ExportType[];
  /** Scope that the user must grant in addition to the data. */
  scope: string;
  /** Longest window of one request, in days. */
  windowDays: number;
  /**
   * Requests one window.
   * @throws VendorError `conflict` if it was requested before, `range_too_early`, `scope_missing` if the user did not
   *   grant history, `operator` if the deployment does not receive this data type, `rate_limited` and others
   */
  request(api: VendorApi, type: string, window: TimeRange): Promise<void>;
}
