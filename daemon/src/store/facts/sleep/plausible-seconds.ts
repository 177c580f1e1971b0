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
 * Whole seconds of a night. What is negative or longer than the night is not known; time in bed, which vendors count from
 * before the night to after it, is at most the night. Who slept and lay awake for some time was in bed at least as long.
 * A night whose time asleep cannot be was spent in bed, since without either it would count as slept through.
 */
export function plausibleSeconds(night: NightSeconds & { startMs: number; endMs: number }): NightSeconds {
  const spanSeconds = Math.round((night.endMs - night.startMs) / 1000);
  const capped = (seconds: number | undefined): number | undefined =>
    seconds !== undefined && Number.isFinite(seconds) && seconds >= 0
      ? Math.min(Math.round(seconds), spanSeconds)
      : undefined;
  const whole = (seconds: number | undefined): number | undefined =>
    seconds !== undefined && seconds <= spanSeconds + ROUNDING_SECONDS ? capped(seconds) : undefined;
  const [asleepSeconds, awakeSeconds] = [whole(night.asleepSeconds), whole(night.awakeSeconds)];
  const isAsleepRejected = night.asleepSeconds !== undefined && asleepSeconds === undefined;
  const inBedSeconds = capped(night.inBedSeconds) ?? (isAsleepRejected ? spanSeconds : undefined);
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
