import {
  fromDayNumber,
  isZoneName,
  MS_PER_DAY,
  NO_OFFSET,
  type RecordBatch,
  ZoneOffsets,
  type ZoneSighting,
} from '@healthd/model';
import type pg from 'pg';
import type { SampleRows } from '../samples/sample-rows.js';
import type { WriteContext } from '../write-context.js';
import { FALLBACK_ZONE, isStorableZone, storePhoneZones } from './fallback-zone.js';
import { type OffsetSpan, OffsetTimeline } from './offset-timeline.js';

/** Days of the timeline loaded around what a write touches: enough for reach, and for sessions that decide on naps. */
const MARGIN_DAYS = 14;
/** 0001-01-01 and 9999-12-31. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** The timeline before and after a batch, around the instants of the transaction. */
export interface TimelineChange {
  before: OffsetTimeline;
  after: OffsetTimeline;
  addedSpans: OffsetSpan[];
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
  if (!addedSpans.some(({ zone }) => zone !== undefined)) return { before, after, addedSpans };
  const zone = await storePhoneZones(client, userKey, sightings, before.fallbackZone);
  return { before, after: zone === before.fallbackZone ? after : after.inZone(zone), addedSpans };
}

/** A day of the timeline; its columns are null where there is none. */
interface TimelineRow {
  fallback: string | null;
  offset_minutes: number | null;
  zone: string | null;
  first_ms: number;
  last_ms: number;
}

/** What the user's data showed from some days before `firstMs` to some days after `lastMs`. */
export async function loadTimeline(
  client: pg.ClientBase,
  userKey: number,
  firstMs: number,
  lastMs: number,
): Promise<OffsetTimeline> {
  const { rows } = await client.query<TimelineRow>({
    name: 'records-load-timeline',
    // And the nearest days beyond, for what nothing else places; one row without a day where there is none.
    text: `select fallback, offset_minutes, zone, extract(epoch from first_at)::float8 * 1000 as first_ms,
                  extract(epoch from last_at)::float8 * 1000 as last_ms
             from (select ${FALLBACK_ZONE} as fallback) as user_zone
             left join offset_day on user_key = $1
              and utc_date >= coalesce((select max(utc_date) from offset_day where user_key = $1 and utc_date < $2), $2)
              and utc_date <= coalesce((select min(utc_date) from offset_day where user_key = $1 and utc_date > $3), $3)`,
    values: [userKey, utcDate(firstMs, -MARGIN_DAYS), utcDate(lastMs, MARGIN_DAYS)],
  });
  const timeline = new OffsetTimeline(rows[0]?.fallback ?? undefined);
  for (const { offset_minutes: offsetMinutes, zone, first_ms: first, last_ms: last } of rows) {
    if (offsetMinutes !== null) timeline.add(offsetMinutes, Math.round(first), Math.round(last), zone ?? undefined);
  }
  return timeline;
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

async function storeSpans(client: pg.ClientBase, userKey: number, spans: OffsetSpan[]): Promise<void> {
  if (spans.length === 0) return;
  await client.query({
    name: 'records-store-timeline',
    text: `insert into offset_day as stored (user_key, utc_date, offset_minutes, first_at, last_at, zone)
           select $1, utc_date, offset_minutes, to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), zone
             from unnest($2::date[], $3::smallint[], $4::float8[], $5::float8[], $6::text[])
                  as seen (utc_date, offset_minutes, first_ms, last_ms, zone)
           on conflict (user_key, utc_date, offset_minutes) do update
              set first_at = least(stored.first_at, excluded.first_at),
                  last_at = greatest(stored.last_at, excluded.last_at), zone = excluded.zone`,
    values: [
      userKey,
      spans.map(({ firstMs }) => utcDate(firstMs, 0)),
      spans.map(({ offsetMinutes }) => offsetMinutes),
      spans.map(({ firstMs }) => firstMs),
      spans.map(({ lastMs }) => lastMs),
      spans.map(({ zone }) => zone ?? null),
    ],
  });
}

/** The UTC date some days after an instant, of years that the database can hold. */
function utcDate(ms: number, plusDays: number): string {
  return fromDayNumber(Math.min(Math.max(Math.floor(ms / MS_PER_DAY) + plusDays, FIRST_DAY), LAST_DAY));
}
