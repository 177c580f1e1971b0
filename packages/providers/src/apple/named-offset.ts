import type { ZoneOffsets, ZoneObservations } from '@healthd/model';

/** The only metadata of a Record that changes stored data: the time zone of the measurement. */
export const TIME_ZONE_KEY = 'HKTimeZone';

/** Returns the offset of a named zone at an instant; undefined if the name is not a time zone. */
export function namedOffset(
  zone: string,
  atMs: number,
  zones: ZoneOffsets,
  observations: ZoneObservations,
): number | undefined {
  const offset = zones.at(zone, atMs);
  if (offset !== undefined) observations.see(zone, atMs);
  return offset;
}
