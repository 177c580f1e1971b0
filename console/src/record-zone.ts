import { formatInZone, placeOf, readersZone, type Zone } from './zone.js';

/** A record with the offset at which the service dates it. */
export interface Dated {
  /** The offset that came with the record. */
  zone_offset: string | null;
  /** That one, else the one that the service assumes. */
  local_offset: string;
}

/** `2026-03-14 07:05`: an instant of a record on the clock of the person. */
export function formatRecorded(instant: string, { local_offset }: Dated): string {
  return formatInZone(Date.parse(instant), local_offset);
}

/**
 * At which offsets records are shown, and which of them were assumed: `times at UTC+13:00, those recorded without an
 * offset at UTC+12:00, you are in Asia/Tokyo`.
 */
export function zonesText(records: Iterable<Dated>): string {
  const own = new Set<Zone>();
  const assumed = new Set<Zone>();
  for (const { zone_offset, local_offset } of records) (zone_offset ? own : assumed).add(local_offset);
  const phrases: string[] = [];
  if (own.size > 0) phrases.push(`times ${placesOf(own)}`);
  if (assumed.size > 0) {
    const recorded = own.size > 0 ? 'those recorded without an offset' : 'recorded without an offset: times';
    phrases.push(`${recorded} ${placesOf(assumed)}`);
  }
  phrases.push(`you are in ${readersZone()}`);
  return phrases.join(', ');
}

/** Two offsets are summer and winter; more are a journey, where each record has its own. */
function placesOf(zones: ReadonlySet<Zone>): string {
  return zones.size > 2 ? 'at the offset of where the person was' : [...zones].map(placeOf).join(' and ');
}
