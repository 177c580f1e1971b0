import { formatInZone, placeOf, readersZone, type Zone } from './zone.js';

/** Record with the UTC offset that the service uses for its date. */
export interface Dated {
  /** Offset that the source recorded. */
  zone_offset: string | null;
  /** Recorded offset, or the offset that the service assumes. */
  local_offset: string;
}

/** Formats a record's instant in the user's local time: `2026-03-14 07:05`. */
export function formatRecorded(instant: string, { local_offset }: Dated): string {
  return formatInZone(Date.parse(instant), local_offset);
}

/**
 * Describes the offsets of the shown records and the assumed offsets: `times at UTC+13:00, times without a
 * recorded offset at UTC+12:00, you are in Asia/Tokyo`.
 */
export function zonesText(records: Iterable<Dated>): string {
  const own = new Set<Zone>();
  const assumed = new Set<Zone>();
  for (const { zone_offset, local_offset } of records) (zone_offset ? own : assumed).add(local_offset);
  const phrases: string[] = [];
  if (own.size > 0) phrases.push(`times ${placesOf(own)}`);
  if (assumed.size > 0) phrases.push(`times without a recorded offset ${placesOf(assumed)}`);
  phrases.push(`you are in ${readersZone()}`);
  return phrases.join(', ');
}

/** Names up to two offsets (summer and winter time). More offsets mean travel, so the text only says local time. */
function placesOf(zones: ReadonlySet<Zone>): string {
  return zones.size > 2 ? 'in the person’s local time' : [...zones].map(placeOf).join(' and ');
}
