import { isProviderId, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, PROVIDER_NAMES } from '@healthd/model';

/** Formats a whole number with thousands separators. Unknown values become an en dash. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en-US');
}

/** Formats kilometers with one decimal. */
export function formatKilometers(meters: number | null | undefined): string {
  return meters === null || meters === undefined ? '–' : (meters / 1000).toFixed(1);
}

/** Formats a distance as `400 m` or `5.2 km`. */
export function formatDistance(meters: number | null | undefined): string {
  if (meters === null || meters === undefined) return '–';
  const whole = Math.round(meters);
  return whole < 1000 ? `${whole} m` : `${formatKilometers(meters)} km`;
}

/** Formats seconds per kilometer as `5:07 min/km`. */
export function formatPace(secondsPerKilometer: number | null): string {
  return secondsPerKilometer === null ? '–' : `${formatMinutesAndSeconds(secondsPerKilometer)} min/km`;
}

/** Formats a lap time as `4:05` (minutes and seconds). */
export function formatMinutesAndSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats minutes as `7 h 05`, or as minutes below an hour. */
export function formatMinutes(minutes: number | null | undefined): string {
  if (minutes === null || minutes === undefined) return '–';
  const whole = Math.round(minutes);
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')}`;
}

/** Converts seconds to minutes. */
export function minutesOf(seconds: number | null): number | null {
  return seconds === null ? null : seconds / 60;
}

/** `92 %` */
export function formatPercent(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? '–' : `${Math.round(percent)} %`;
}

/** Formats values as `51 · 72 · 148`, or one dash if all are unknown. */
export function formatRange(...values: (number | null | undefined)[]): string {
  return values.every((value) => value === null || value === undefined) ? '–' : values.map(formatCount).join(' · ');
}

/** Formats bytes in the largest decimal unit: `1.9 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1000 ** power).toFixed(1)} ${['', 'kB', 'MB', 'GB'][power]}`;
}

/** Internal source name of cloud data, such as `google_health_api`. Not shown to readers. */
const CLOUD = /^[a-z_]+_api(\/[a-z_]+)?$/;

/** Returns the source's display name: device, else application, else provider. */
export function sourceName(source: { device_name: string | null; source: string | null; provider: string }): string {
  if (source.device_name) return source.device_name;
  if (source.source && !CLOUD.test(source.source)) return source.source;
  return isProviderId(source.provider) ? PROVIDER_NAMES[source.provider] : source.provider;
}

/** Returns the application that wrote the source's data; undefined for a vendor's cloud. */
export function writerName(source: { source: string | null; original_source_name: string | null }): string | undefined {
  return [source.source, source.original_source_name].find((name) => name !== null && !CLOUD.test(name)) ?? undefined;
}

/** Formats an instant in the reader's time zone. */
export function formatInstant(instant: string | null | undefined): string {
  return instant ? new Date(instant).toLocaleString('sv-SE').slice(0, 16) : '–';
}

/**
 * Returns the time of the newest data, at most the current time. Today's total may be stamped at noon, and a device
 * clock may be ahead.
 */
export function notAfterNow(instant: string, nowMs = Date.now()): string {
  return new Date(Math.min(Date.parse(instant), nowMs)).toISOString();
}

/**
 * Formats a future time as `14:32 (in 3 min)` in the reader's time zone, with the date if it is another day. Returns
 * `now` for past times.
 */
export function formatNextTry(instant: string, nowMs = Date.now()): string {
  const minutes = Math.ceil((Date.parse(instant) - nowMs) / MS_PER_MINUTE);
  if (minutes <= 0) return 'now';
  const local = formatInstant(instant);
  const isToday = local.slice(0, 10) === formatInstant(new Date(nowMs).toISOString()).slice(0, 10);
  return `${isToday ? local.slice(11) : local} (in ${formatMinutes(minutes)})`;
}

/** Parts of codes that are written in capitals. */
const ABBREVIATIONS = /\b(rmssd|sdnn|vo2|spo2|hrv|met|rem)\b/g;

/** Formats a code such as `heart_rate` as text. */
export function humanize(code: string): string {
  const words = code.replaceAll('_', ' ').replace(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the user's display name: the name, otherwise the email, otherwise a shortened id. */
export function userName(user: {
  id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
}): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email || `User ${user.id.slice(0, 8)}`;
}

/** Returns the UTC date `days` days ago as `YYYY-MM-DD`. */
export function daysAgo(days: number, now = Date.now()): string {
  return new Date(now - days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Counts the days from a date (`YYYY-MM-DD`) to today in UTC. Returns 1 for today and later dates. */
export function daysSince(date: string, now = Date.now()): number {
  return Math.max(1, Math.round((Date.parse(daysAgo(0, now)) - Date.parse(date)) / MS_PER_DAY));
}

/**
 * Formats the time until an instant in its largest unit: `23 h`, `6 days`, `12 min`. Returns `no time` for past
 * instants.
 */
export function timeLeft(instant: string, nowMs: number): string {
  const leftMs = Date.parse(instant) - nowMs;
  if (leftMs <= 0) return 'no time';
  if (leftMs >= 2 * MS_PER_DAY) return `${Math.floor(leftMs / MS_PER_DAY)} days`;
  if (leftMs >= 2 * MS_PER_HOUR) return `${Math.floor(leftMs / MS_PER_HOUR)} h`;
  return `${Math.ceil(leftMs / MS_PER_MINUTE)} min`;
}
