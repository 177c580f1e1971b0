import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '@healthd/model';

/** Durations that {@link secondsOfDuration} understands. */
export const ISO_DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Seconds of a duration in ISO 8601, such as `PT4H6M30.5S`; undefined for anything else. */
export function secondsOfDuration(value: unknown): number | undefined {
  const match = typeof value === 'string' ? ISO_DURATION.exec(value) : null;
  const parts = match?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return undefined;
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0)) as [number, number, number, number];
  return days * SECONDS_PER_DAY + hours * SECONDS_PER_HOUR + minutes * SECONDS_PER_MINUTE + seconds;
}
