import type { PullMode, Tally, TimeRange, VendorApi } from '../../cloud/index.js';
import type { LocalDays } from './local-days.js';

/** What one reading of samples works with. */
export interface SeriesReading {
  api: VendorApi;
  window: TimeRange;
  mode: PullMode;
  days: LocalDays;
  tally: Tally;
}
