import { isZoneName, MS_PER_DAY, NO_OFFSET, type RecordBatch, ZoneOffsets, type ZoneObservation } from '@healthd/model';
import { type OffsetSpan, OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';

const zoneOffsets = new ZoneOffsets();

/** A user's offset timeline before and after a batch. Covers only the time around the transaction's data. */
export interface TimelineChange {
  before: OffsetTimeline;
  after: OffsetTimeline;
  addedSpans: OffsetSpan[];
  /** Zone observations of the batch if they add a zone to the timeline; otherwise empty. */
  newObservations: readonly ZoneObservation[];
}

/**
 * Adds the offsets of a batch to the timeline.
 * @param rows samples of the batch to store
 * @param storableZones zones that the database supports, in lower case
 */
export function extendedTimeline(
  before: OffsetTimeline,
  rows: SampleRows,
  { records, zones = [] }: Pick<RecordBatch, 'records' | 'zones'>,
  storableZones: ReadonlySet<string>,
): TimelineChange {
  const seen = new OffsetTimeline();
  addSamples(seen, rows);
  for (const record of records) {
    if (!('offsetMinutes' in record) || record.offsetMinutes === undefined) continue;
    if (record.kind === 'health_score') seen.add(record.offsetMinutes, record.atMs);
    // The offset of a sleep stage belongs to the place and time of waking.
    else seen.add(record.offsetMinutes, record.kind === 'sleep_stage' ? record.endMs : record.startMs);
  }
  // Both the runtime and the database must support a zone, because both compute local dates with it.
  const observations = zones.filter(({ zone }) => isZoneName(zone) && storableZones.has(zone.toLowerCase()));
  for (const observation of observations) addObservation(seen, observation);

  const after = before.copy();
  for (const span of seen.spans()) after.add(span.offsetMinutes, span.firstMs, span.lastMs, span.zone);
  const addedSpans = before.growthTo(after);
  const namesZone = addedSpans.some(({ zone }) => zone !== undefined);
  return { before, after, addedSpans, newObservations: namesZone ? observations : [] };
}

/** Adds the offsets of a named zone to a timeline, at its first and last observation. */
function addObservation(seen: OffsetTimeline, { zone, firstMs, lastMs }: ZoneObservation): void {
  const [first, last] = [zoneOffsets.at(zone, firstMs), zoneOffsets.at(zone, lastMs)];
  if (first === undefined || last === undefined) return;
  if (first === last) seen.add(first, firstMs, lastMs, zone);
  else {
    seen.add(first, firstMs, firstMs, zone);
    seen.add(last, lastMs, lastMs, zone);
  }
}

/**
 * Adds the offsets of rows to a timeline. Groups consecutive rows of one day and offset, because samples arrive nearly
 * sorted.
 */
function addSamples(seen: OffsetTimeline, rows: SampleRows): void {
  let day = Number.NaN;
  let offset = NO_OFFSET;
  let first = 0;
  let last = 0;
  for (let row = 0; row < rows.length; row++) {
    const startMs = rows.startMs[row] as number;
    const rowOffset = rows.offsetMinutes[row] as number;
    const rowDay = Math.floor(startMs / MS_PER_DAY);
    if (rowOffset !== offset || rowDay !== day) {
      if (offset !== NO_OFFSET) seen.add(offset, first, last);
      offset = rowOffset;
      day = rowDay;
      first = startMs;
      last = startMs;
    } else if (startMs < first) first = startMs;
    else if (startMs > last) last = startMs;
  }
  if (offset !== NO_OFFSET) seen.add(offset, first, last);
}
