import { MS_PER_MINUTE, parseOffset } from '@healthd/model';

/** IANA time zone, or a fixed UTC offset such as `+05:30`. */
export type Zone = string;

const OFFSET = /^[+-]\d\d:\d\d$/;

/** Returns the chart's time zone: the user's zone, otherwise the newest sample's offset, otherwise UTC. */
export function zoneOfChart(personZone: Zone | undefined, newestOffset: string | null | undefined): Zone {
  return personZone ?? newestOffset ?? 'UTC';
}

/** Returns the reader's time zone. */
export function readersZone(): Zone {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Formats a zone as `times in Europe/Warsaw, you are in Asia/Tokyo`, or an offset as `times at UTC+02:00`. */
export function zoneText(zone: Zone): string {
  const reader = readersZone();
  return `times ${placeOf(zone)}${zone === reader ? '' : `, you are in ${reader}`}`;
}

/** Formats a zone as `in Europe/Warsaw`, or an offset as `at UTC+02:00`. */
export function placeOf(zone: Zone): string {
  return OFFSET.test(zone) ? `at UTC${zone}` : `in ${zone}`;
}

/** Formats an instant in a zone as `2026-03-14 07:05`. */
export function formatInZone(ms: number, zone: Zone): string {
  if (OFFSET.test(zone)) return wallClockAt(ms, parseOffset(zone) ?? 0);
  return new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16);
}

function wallClockAt(ms: number, offsetMinutes: number): string {
  return new Date(ms + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * Returns a Date whose local fields (`getHours()` etc.) contain the wall-clock time of a zone. The Date is a different
 * instant unless the reader is in that zone.
 */
export function wallDate(ms: number, zone: Zone): Date {
  const wall = Date.parse(`${formatInZone(ms, zone).replace(' ', 'T')}Z`) + (ms % MS_PER_MINUTE);
  const date = new Date(wall);
  return new Date(wall + date.getTimezoneOffset() * MS_PER_MINUTE);
}

/** Returns the instant at which a date (`YYYY-MM-DD`) starts in a zone. */
export function startOfDate(date: string, zone: Zone): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`);
  const shift = (ms: number) => Date.parse(`${formatInZone(ms, zone).replace(' ', 'T')}Z`) - ms;
  // Repeats with the found offset, for dates with a clock change.
  return asUtc - shift(asUtc - shift(asUtc));
}
