import { isZoneName, MS_PER_DAY, NO_OFFSET, ZoneOffsets, type ZoneSighting } from '@healthd/model';
import type pg from 'pg';
import type { SampleRows } from '../samples/sample-rows.js';
import { isStorableZone } from './fallback-zone.js';
import type { OffsetTimeline } from './offset-timeline.js';

const zoneOffsets = new ZoneOffsets();

/** Both the runtime and the database must know a zone, since both place items by it. */
export async function storableSightings(client: pg.ClientBase, seen: readonly ZoneSighting[]): Promise<ZoneSighting[]> {
  const storable = new Set<string>();
  for (const zone of new Set(seen.map((sighting) => sighting.zone))) {
    if (isZoneName(zone) && (await isStorableZone(client, zone))) storable.add(zone);
  }
  return seen.filter(({ zone }) => storable.has(zone));
}

/** Adds the offsets of a named zone to a timeline, at its first and last sighting. */
export function addSighting(seen: OffsetTimeline, { zone, firstMs, lastMs }: ZoneSighting): void {
  const [first, last] = [zoneOffsets.at(zone, firstMs), zoneOffsets.at(zone, lastMs)];
  if (first === undefined || last === undefined) return;
  if (first === last) seen.add(first, firstMs, lastMs, zone);
  else {
    seen.add(first, firstMs, firstMs, zone);
    seen.add(last, lastMs, lastMs, zone);
  }
}

/** Samples come nearly sorted, so one span usually takes many rows before the map is asked again. */
export function addSamples(seen: OffsetTimeline, rows: SampleRows): void {
  let day = Number.NaN;
  let offset = NO_OFFSET;
  let first = 0;
  let last = 0;
  const flush = () => {
    if (offset !== NO_OFFSET) seen.add(offset, first, last);
  };
  for (let row = 0; row < rows.length; row++) {
    const startMs = rows.startMs[row] as number;
    const rowOffset = rows.offsetMinutes[row] as number;
    const rowDay = Math.floor(startMs / MS_PER_DAY);
    if (rowOffset !== offset || rowDay !== day) {
      flush();
      offset = rowOffset;
      day = rowDay;
      first = startMs;
      last = startMs;
    } else if (startMs < first) first = startMs;
    else if (startMs > last) last = startMs;
  }
  flush();
}
