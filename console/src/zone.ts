import { MS_PER_MINUTE, parseOffset } from '@healthd/model';

/** A zone by its IANA name, or a fixed offset from UTC such as `+05:30`. */
export type Zone = string;

const OFFSET = /^[+-]\d\d:\d\d$/;

/** The zone of a chart of a person's data: the one known of the person, else the offset of the newest sample, else UTC. */
export function zoneOfChart(personZone: Zone | undefined, newestOffset: string | null | undefined): Zone {
  return personZone ?? newestOffset ?? 'UTC';
}

/** The zone of the person who looks at the screen. */
export function readersZone(): Zone {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `times in Europe/Warsaw, you are in Asia/Tokyo`; of an offset `times at UTC+02:00`. */
export function zoneText(zone: Zone): string {
  const reader = readersZone();
  return `times ${placeOf(zone)}${zone === reader ? '' : `, you are in ${reader}`}`;
}

/** `in Europe/Warsaw`, `at UTC+02:00` */
export function placeOf(zone: Zone): string {
  return OFFSET.test(zone) ? `at UTC${zone}` : `in ${zone}`;
}

/** `2026-03-14 07:05` on the wall clock of a zone. */
export function formatInZone(ms: number, zone: Zone): string {
  if (OFFSET.test(zone)) return wallClockAt(ms, parseOffset(zone) ?? 0);
  return new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16);
}

function wallClockAt(ms: number, offsetMinutes: number): string {
  return new Date(ms + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * A date whose local fields (`getHours()` and the like) are those of the wall clock of a zone. It names another instant
 * unless that zone is the reader's.
 */
export function wallDate(ms: number, zone: Zone): Date {
  const wall = Date.parse(`${formatInZone(ms, zone).replace(' ', 'T')}Z`) + (ms % MS_PER_MINUTE);
  const date = new Date(wall);
  return new Date(wall + date.getTimezoneOffset() * MS_PER_MINUTE);
}

/** The instant at which a date begins in a zone; `YYYY-MM-DD`. */
export function startOfDate(date: string, zone: Zone): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`);
  const shift = (ms: number) => Date.parse(`${formatInZone(ms, zone).replace(' ', 'T')}Z`) - ms;
  // Once more with the offset found, for a date on which the clock was moved.
  return asUtc - shift(asUtc - shift(asUtc));
}
