import { isZoneName, MS_PER_DAY, NO_OFFSET, type RecordBatch, ZoneOffsets, type ZoneSighting } from '@healthd/model';
import type pg from 'pg';
import type { SampleRows } from '../samples/sample-rows.js';
import type { WriteContext } from '../write-context.js';
import { isStorableZone } from './fallback-zone.js';
import { type OffsetSpan, OffsetTimeline } from './offset-timeline.js';
import { storeSpans } from './timeline-rows.js';

/** The timeline before and after a batch, around the instants of the transaction. */
export interface TimelineChange {
  before: OffsetTimeline;
  after: OffsetTimeline;
  addedSpans: OffsetSpan[];
  /** Phones whose items named zones that were not seen on these days before. */
  newSightings: readonly ZoneSighting[];
}

/** Adds to the timeline what the batch shows, and stores what is new. */
export async function extendTimeline(
  { client, userKey, timeline: before }: WriteContext,
  rows: SampleRows,
  { records, zones = [] }: Pick<RecordBatch, 'records' | 'zones'>,
): Promise<TimelineChange> {
  const seen = new OffsetTimeline();
  addSamples(seen, rows);
  for (const record of records) {
    if (!('offsetMinutes' in record) || record.offsetMinutes === undefined) continue;
    if (record.kind === 'health_score') seen.add(record.offsetMinutes, record.atMs);
    // The offset of a sleep stage is that of the place and time of waking.
    else seen.add(record.offsetMinutes, record.kind === 'sleep_stage' ? record.endMs : record.startMs);
  }
  const sightings = await storableSightings(client, zones);
  for (const sighting of sightings) addSighting(seen, sighting);

  const after = before.copy();
  for (const span of seen.spans()) after.add(span.offsetMinutes, span.firstMs, span.lastMs, span.zone);
  const addedSpans = before.growthTo(after);
  await storeSpans(client, userKey, addedSpans);
  const namesZone = addedSpans.some(({ zone }) => zone !== undefined);
  return { before, after, addedSpans, newSightings: namesZone ? sightings : [] };
}

const zoneOffsets = new ZoneOffsets();

/** Both the runtime and the database must know a zone, since both place items by it. */
async function storableSightings(client: pg.ClientBase, seen: readonly ZoneSighting[]): Promise<ZoneSighting[]> {
  const storable = new Set<string>();
  for (const zone of new Set(seen.map((sighting) => sighting.zone))) {
    if (isZoneName(zone) && (await isStorableZone(client, zone))) storable.add(zone);
  }
  return seen.filter(({ zone }) => storable.has(zone));
}

function addSighting(seen: OffsetTimeline, { zone, firstMs, lastMs }: ZoneSighting): void {
  const [first, last] = [zoneOffsets.at(zone, firstMs), zoneOffsets.at(zone, lastMs)];
  if (first === undefined || last === undefined) return;
  if (first === last) seen.add(first, firstMs, lastMs, zone);
  else {
    seen.add(first, firstMs, firstMs, zone);
    seen.add(last, lastMs, lastMs, zone);
  }
}

/** Samples come nearly sorted, so one span usually takes many rows before the map is asked again. */
function addSamples(seen: OffsetTimeline, rows: SampleRows): void {
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
