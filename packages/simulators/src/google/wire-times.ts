import type { JsonObject } from './point-types.js';

/** Returns an RFC 3339 time in UTC. Omits a fraction of zero. */
export function wireInstant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Returns a duration such as `7200s`. Fractions are not rounded. */
export function wireDuration(seconds: number): string {
  return `${seconds}s`;
}

/** Returns `{year, month, day}` of `YYYY-MM-DD`. */
export function wireDate(date: string): JsonObject {
  const [year, month, day] = date.split('-').map(Number);
  return { year, month, day };
}

/** Returns a civil date and time. Omits zeros, so midnight has an empty time. */
export function wireCivil(ms: number, offsetSeconds: number): JsonObject {
  const local = new Date(ms + offsetSeconds * 1000);
  const time: JsonObject = {};
  if (local.getUTCHours() > 0) time.hours = local.getUTCHours();
  if (local.getUTCMinutes() > 0) time.minutes = local.getUTCMinutes();
  if (local.getUTCSeconds() > 0) time.seconds = local.getUTCSeconds();
  if (local.getUTCMilliseconds() > 0) time.nanos = local.getUTCMilliseconds() * 1_000_000;
  return { date: wireDate(local.toISOString().slice(0, 10)), time };
}
