import { SLEEP_LENGTH } from '@healthd/model';

/** Seconds of a vendor's night, as far as its length allows them. */
export interface NightSeconds {
  asleepSeconds?: number;
  inBedSeconds?: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
}

/** The longest time in bed that a vendor's night can have; a longer one is not known. */
const LONGEST_IN_BED_SECONDS = SLEEP_LENGTH.maxMs / 1000;

/** Vendors round each figure alone, so that one may be that much longer than the night. */
const ROUNDING_SECONDS = 60;

/**
 * Whole seconds of a night. What is negative or longer than the night is not known. Time in bed may be longer: vendors count
 * it from before the night to after it. Who slept and lay awake for some time was in bed at least as long.
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
  const inBedSeconds = plausibleInBed(night.inBedSeconds) ?? (isAsleepRejected ? spanSeconds : undefined);
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

function plausibleInBed(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds >= 0 && seconds <= LONGEST_IN_BED_SECONDS ? Math.round(seconds) : undefined;
}
