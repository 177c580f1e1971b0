/** Seconds of a vendor's night, as far as its length allows them. */
export interface NightSeconds {
  asleepSeconds?: number;
  inBedSeconds?: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
}

/** Vendors round each figure alone, so that one may be that much longer than the night. */
const ROUNDING_SECONDS = 60;

/**
 * Whole seconds of a night. What is negative or longer than the night is not known; who slept and lay awake for some
 * time was in bed at least as long.
 */
export function plausibleSeconds(night: NightSeconds & { startMs: number; endMs: number }): NightSeconds {
  const spanSeconds = Math.round((night.endMs - night.startMs) / 1000);
  const whole = (seconds: number | undefined): number | undefined =>
    seconds !== undefined && seconds >= 0 && seconds <= spanSeconds + ROUNDING_SECONDS
      ? Math.min(Math.round(seconds), spanSeconds)
      : undefined;
  const [asleepSeconds, inBedSeconds, awakeSeconds] = [
    whole(night.asleepSeconds),
    whole(night.inBedSeconds),
    whole(night.awakeSeconds),
  ];
  const leastInBed = Math.min(spanSeconds, (asleepSeconds ?? 0) + (awakeSeconds ?? 0));
  return {
    asleepSeconds,
    inBedSeconds: inBedSeconds === undefined ? undefined : Math.max(inBedSeconds, leastInBed),
    awakeSeconds,
    lightSeconds: whole(night.lightSeconds),
    deepSeconds: whole(night.deepSeconds),
    remSeconds: whole(night.remSeconds),
  };
}
