import type { ZoneOffsets, ZoneSightings } from '@healthd/model';

/** The one piece of a Record's metadata that changes what is stored: the zone in which it was measured. */
export const TIME_ZONE_KEY = 'HKTimeZone';

/** The offset that a named zone has at an instant; undefined for a name that is no zone. */
export function namedOffset(
  zone: string,
  atMs: number,
  zones: ZoneOffsets,
  sightings: ZoneSightings,
): number | undefined {
  const offset = zones.at(zone, atMs);
  if (offset !== undefined) sightings.see(zone, atMs);
  return offset;
}
