/** Heart rate of one local day of one source; minutes are 1440 characters `0` or `1`, the first is 00:00. */
export interface HeartRateMinutes {
  /** Ascending; 2 * floor(bpm), plus 1 when the value has a fraction. */
  bins: number[];
  /** Seconds spent in each bin. */
  seconds: number[];
  minutes: string;
}
