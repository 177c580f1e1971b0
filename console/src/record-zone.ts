import { MS_PER_HOUR } from '@healthd/model';
import type { TimeSeriesSample } from '@healthd/schemas';
import { formatInZone, placeOf, readersZone, type Zone } from './zone.js';

/** How far away an offset may have been seen to count before the person's zone, as the service places records on days. */
const REACH_MS = 36 * MS_PER_HOUR;

/** Of a record that is shown alone: only the person's zone can say where it was recorded. */
export const NONE_BESIDE: readonly Dated[] = [];

/** When something was recorded, and the offset that came with it; null where none did. */
export interface Dated {
  instant: string;
  offset: string | null;
}

export function dateOfSample({ timestamp, zone_offset }: TimeSeriesSample): Dated {
  return { instant: timestamp, offset: zone_offset };
}

/** The zone in which a record is shown. */
export type ZoneOfRecord = (record: Dated) => Zone;

/**
 * In which zone each record of a person is shown: at its own offset, else at the nearest offset seen within 36 hours, else
 * in the person's zone, else at the offset seen nearest, else in UTC. It is the order by which the service dates records.
 * @param personZone the zone of the person or of a connection; undefined where none is known
 * @param seen records beside it; those with an offset are evidence of where the person was
 */
export function zonesOfRecords(personZone: Zone | undefined, seen: Iterable<Dated>): ZoneOfRecord {
  const sights = [...seen].flatMap(({ instant, offset }) => (offset ? [{ ms: Date.parse(instant), offset }] : []));
  return ({ instant, offset }) => {
    if (offset) return offset;
    const ms = Date.parse(instant);
    const near = nearest(sights, ms);
    if (near && Math.abs(near.ms - ms) <= REACH_MS) return near.offset;
    return personZone ?? near?.offset ?? 'UTC';
  };
}

interface Sight {
  ms: number;
  offset: string;
}

/** Of two that are equally near the later one, as in the service. */
function nearest(sights: readonly Sight[], ms: number): Sight | undefined {
  let best: Sight | undefined;
  for (const sight of sights) {
    const closer = best === undefined ? -1 : Math.abs(sight.ms - ms) - Math.abs(best.ms - ms);
    if (closer < 0 || (closer === 0 && best && sight.ms > best.ms)) best = sight;
  }
  return best;
}

/** `2026-03-14 07:05`: an instant of a record on the clock of the person. */
export function formatRecorded(record: Dated, zoneOf: ZoneOfRecord): string {
  return formatInZone(Date.parse(record.instant), zoneOf(record));
}

/**
 * In which zones records are shown, and whether that was assumed: `times at UTC+13:00, those recorded without an offset in
 * Pacific/Auckland, you are in Asia/Tokyo`.
 */
export function zonesText(records: Iterable<Dated>, zoneOf: ZoneOfRecord): string {
  const own = new Set<Zone>();
  const assumed = new Set<Zone>();
  for (const record of records) (record.offset ? own : assumed).add(zoneOf(record));
  const phrases: string[] = [];
  if (own.size > 0) phrases.push(`times ${placesOf(own)}`);
  if (assumed.size > 0) {
    const recorded = own.size > 0 ? 'those recorded without an offset' : 'recorded without an offset: times';
    phrases.push(`${recorded} ${placesOf(assumed)}`);
  }
  const isReaders = own.size === 0 && assumed.size === 1 && assumed.has(readersZone());
  if (!isReaders) phrases.push(`you are in ${readersZone()}`);
  return phrases.join(', ');
}

/** Two offsets are summer and winter; more are a journey, where each record has its own. */
function placesOf(zones: ReadonlySet<Zone>): string {
  return zones.size > 2 ? 'at the offset of where the person was' : [...zones].map(placeOf).join(' and ');
}
