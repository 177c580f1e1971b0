import type { TimeRange } from './time-range.js';
import type { VendorApi } from './vendor-api.js';

/** A kind of data that can be exported. */
export interface ExportType {
  /** As routes and reports name it. */
  id: string;
  /** How deliveries name it, see `DeliveredDataType.id`. */
  delivered: string;
}

/**
 * The past of a person, requested by kind of data and window. The vendor takes a request, and sends the data later with the
 * deliveries, where nothing distinguishes them from others. A window that was taken is never sent twice.
 */
export interface ExportAdapter {
  /** In the order in which they are requested. */
  types: readonly ExportType[];
  /** What the person has to grant besides the data. */
  scope: string;
  /** Longest window of one request, in days. */
  windowDays: number;
  /**
   * Asks for one window.
   * @throws VendorError `conflict` when it was asked for before, `range_too_early`, `scope_missing` when the person did not
   *   grant the past, `operator` when the deployment does not get this kind of data, `rate_limited` and others
   */
  request(api: VendorApi, type: string, window: TimeRange): Promise<void>;
}
