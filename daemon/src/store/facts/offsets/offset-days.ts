import type { RecordBatch, ZoneSighting } from '@healthd/model';
import type { SampleRows } from '../samples/sample-rows.js';
import type { WriteContext } from '../write-context.js';
import { type OffsetSpan, OffsetTimeline } from './offset-timeline.js';
import { addSamples, addSighting, storableSightings } from './sightings.js';
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
