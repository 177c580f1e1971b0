import type { PullMode, Tally, TimeRange, VendorApi } from '../../cloud/index.js';
import type { LocalDays } from './local-days.js';

/** Parameters for reading samples. */
export interface SeriesReading {
  api: VendorApi;
  window: TimeRange;
  mode: PullMode;
  days: LocalDays;
  tally: Tally;
}
