import { SLEEP_LENGTH } from '@healthd/model';

/** Plausible durations of a vendor's night in seconds. */
export interface NightSeconds {
  asleepSeconds?: number;
  inBedSeconds?: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
}

/** Maximum time in bed of a vendor's night; longer times are dropped. */
const LONGEST_IN_BED_SECONDS = SLEEP_LENGTH.maxMs / 1000;

/** Maximum excess of a figure over the night's length, because vendors round each figure separately. */
const ROUNDING_SECONDS = 60;

/**
 * Returns a night's durations in whole seconds. Drops negative durations and durations longer than the night. Time in
 * bed may be longer, because vendors count it from before the night to after it. It is at least the sum of time asleep
 * and time awake. If the time asleep is implausible and there is no time in bed, the whole night counts as time in bed.
 * Otherwise the whole night would count as time asleep.
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
