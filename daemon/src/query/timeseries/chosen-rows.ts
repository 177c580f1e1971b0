import { kindOfSlot, localDate, MS_PER_DAY, MS_PER_HOUR, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { daysAfter, type InstantBounds } from '../bounds.js';
import type { Position } from '../cursors.js';
import { localMinutes } from '../local-offsets.js';
import type { SourceMap } from '../sources.js';
import type { BucketRow } from './buckets.js';
import { nearestSample, readBuckets } from './buckets.js';
import { type ChosenSources, chooseSources } from './chosen-sources.js';
import type { RawRow } from './raw-samples.js';
import { rawKey, readRawRows } from './raw-samples.js';
import type { SampleSelection } from './sample-count.js';

/** Days of the first window, how much each window grows, and the longest one. */
const FIRST_DAYS = 2;
const GROWTH = 4;
const LONGEST_DAYS = 64;
/** Furthest that a local day begins before the same day in UTC, and after it. */
const AHEAD_MS = 14 * MS_PER_HOUR;
const BEHIND_MS = 12 * MS_PER_HOUR;
/** Rows that one statement reads at least. */
const LEAST_ROWS = 100;

export interface ChosenRequest extends SampleSelection {
  sources: SourceMap;
  priorities: Priorities;
  position: Position | undefined;
  limit: number;
}

/** How one kind of row is read and placed. */
interface RowKind<Row> {
  isRaw: boolean;
  read(selection: SampleSelection, position: Position | undefined, limit: number): Promise<Row[]>;
  keyOf(row: Row): number[];
  startMs(row: Row): number;
  kindOf(row: Row): number;
}

/** Up to `limit` samples of the source that the rule chooses for each local day and series, nearest first. */
export function readChosenSamples(pool: pg.Pool, userKey: number, request: ChosenRequest): Promise<RawRow[]> {
  return readChosen<RawRow>(pool, userKey, request, {
    isRaw: true,
    read: (selection, position, limit) => readRawRows(pool, userKey, selection, position, limit),
    keyOf: rawKey,
    startMs: (row) => row.start_ms,
    kindOf: (row) => kindOfSlot(row.slot),
  });
}

/** The same for buckets. A bucket belongs to the local day of its start. */
export function readChosenBuckets(
  pool: pg.Pool,
  userKey: number,
  { widthMs, ...request }: ChosenRequest & { widthMs: number },
): Promise<BucketRow[]> {
  return readChosen<BucketRow>(pool, userKey, request, {
    isRaw: false,
    read: (selection, position, limit) => readBuckets(pool, userKey, { ...selection, widthMs, position, limit }),
    keyOf: (row) => [row.bucket_ms, row.type_id, row.source_id],
    startMs: (row) => row.bucket_ms,
    kindOf: (row) => row.kind,
  });
}

type PlacedRow = { type_id: number; source_id: number; offset_minutes: number | null };

/**
 * Walks the range in windows of whole UTC days that grow until the page is full. Of each window only the sources that were
 * chosen on one of its days are read, so the cost follows the page and not the number of copies or the length of the range.
 */
async function readChosen<Row extends PlacedRow>(
  pool: pg.Pool,
  userKey: number,
  { sources, priorities, position, limit, ...selection }: ChosenRequest,
  kind: RowKind<Row>,
): Promise<Row[]> {
  const { fromMs, beforeMs } = selection.bounds;
  if (selection.typeIds.length === 0 || selection.sourceIds?.length === 0) return [];
  const backward = position?.before ?? false;
  const found: Row[] = [];
  let edge = backward ? beforeMs : fromMs;
  // The position's own bucket or instant may hold more rows.
  if (position) {
    const at = Number(position.key[0]);
    edge = backward ? Math.min(edge, dayEnd(at + 1)) : Math.max(edge, at);
  }
  for (let days = FIRST_DAYS; found.length < limit; days = Math.min(LONGEST_DAYS, days * GROWTH)) {
    if (backward ? edge <= fromMs : edge >= beforeMs) break;
    const reach = backward
      ? Math.max(fromMs, dayEnd(edge) - days * MS_PER_DAY)
      : Math.min(beforeMs, dayStart(edge) + days * MS_PER_DAY);
    const window = backward ? { fromMs: reach, beforeMs: edge } : { fromMs: edge, beforeMs: reach };
    const chosen = await chooseSources(pool, userKey, {
      selection,
      sources,
      priorities,
      isRaw: kind.isRaw,
      ...localDates(window),
    });
    const read = { typeIds: selection.typeIds, sourceIds: chosen.sourceIds, bounds: window };
    let isEmpty = true;
    let from = position;
    for (let hasMore = chosen.sourceIds.length > 0; hasMore && found.length < limit; ) {
      const count = Math.max(LEAST_ROWS, limit - found.length);
      const rows = await kind.read(read, from, count);
      const last = rows.at(-1);
      if (!last) break;
      const minutesOf = await localMinutes(pool, userKey, rows, kind.startMs);
      found.push(...rows.filter((row) => isChosen(row, minutesOf(row), chosen, kind)));
      isEmpty = false;
      hasMore = rows.length === count;
      from = { key: kind.keyOf(last), before: backward };
    }
    edge = reach;
    if (!isEmpty) continue;
    const next = await nearestSample(pool, userKey, selection, edge, backward);
    if (next === undefined) break;
    // An interval reaches at most a day beyond its start.
    edge = backward ? Math.min(edge, dayEnd(next + 2 * MS_PER_DAY)) : Math.max(edge, dayStart(next));
  }
  return found.slice(0, limit);
}

function isChosen<Row extends PlacedRow>(row: Row, minutes: number, chosen: ChosenSources, kind: RowKind<Row>) {
  const ms = kind.startMs(row);
  // As the writer places samples: a total at midnight UTC without an offset is a date.
  const isDate =
    kind.kindOf(row) === SAMPLE_KIND_CODE.daily_total && row.offset_minutes === null && ms % MS_PER_DAY === 0;
  const date = localDate(ms, isDate ? 0 : minutes);
  const sourceId = chosen.of(date, row.type_id);
  if (sourceId !== undefined || kind.isRaw) return sourceId === row.source_id;
  // An interval that began on the day before reaches into a day on which no source has anything of its own.
  return chosen.of(daysAfter(date, -1), row.type_id) === row.source_id;
}

/** The local dates of everything in a window, and the date before them. */
function localDates({ fromMs, beforeMs }: InstantBounds) {
  return {
    fromDate: daysAfter(localDate(fromMs - BEHIND_MS, 0), -1),
    beforeDate: daysAfter(localDate(beforeMs + AHEAD_MS, 0), 1),
  };
}

function dayStart(ms: number): number {
  return Math.floor(ms / MS_PER_DAY) * MS_PER_DAY;
}

/** The first midnight at or after an instant. */
function dayEnd(ms: number): number {
  return Math.ceil(ms / MS_PER_DAY) * MS_PER_DAY;
}
