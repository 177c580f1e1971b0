/** One source's heart rate on one local day. Minutes are 1440 characters `0` or `1`, starting at 00:00. */
export interface HeartRateMinutes {
  /** Bins in ascending order: 2 * floor(bpm), plus 1 if the value has a fraction. */
  bins: number[];
  /** Seconds spent in each bin. */
  seconds: number[];
  minutes: string;
}
