import {
  isSeriesComputed,
  kindOfSlot,
  localDate,
  MS_PER_DAY,
  MS_PER_HOUR,
  SAMPLE_KIND_CODE,
  seriesTypeById,
} from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { ACTIVITY_TYPES, GROUPS, groupDays } from '../activity/day-groups.js';
import { readDayValues } from '../activity/day-values.js';
import { type DayBounds, daysAfter, type InstantBounds } from '../bounds.js';
import { localMinutes } from '../local-offsets.js';
import { FIGURE_TYPES, type FigureGroup, type NightFigures, readNightFigures } from '../nights/night-figures.js';
import { readNights } from '../nights/night-sessions.js';
import type { Position } from '../page.js';
import { type Candidate, type Selection, selectSource } from '../selection/select-source.js';
import { ruleSources, type SourceMap } from '../sources.js';
import { type BucketRow, nearestSample, readBuckets } from './buckets.js';
import { type RawRow, rawKey, readRawRows } from './raw-samples.js';
import type { SampleSelection } from './sample-count.js';

/** Number of days of the first window, factor by which each window grows, and maximum number of days. */
const FIRST_DAYS = 2;
const GROWTH = 4;
const LONGEST_DAYS = 64;
/** Maximum time by which a local day starts before or after the same UTC day. */
const AHEAD_MS = 14 * MS_PER_HOUR;
const BEHIND_MS = 12 * MS_PER_HOUR;
/** Minimum number of rows per statement. */
const LEAST_ROWS = 100;

interface ChosenRequest extends SampleSelection {
  sources: SourceMap;
  priorities: Priorities;
  position: Position | undefined;
  limit: number;
}

/** Functions that read and place one type of row. */
interface RowKind<Row> {
  isRaw: boolean;
  read(selection: SampleSelection, position: Position | undefined, limit: number): Promise<Row[]>;
  keyOf(row: Row): number[];
  startMs(row: Row): number;
  kindOf(row: Row): number;
}

/** Reads up to `limit` samples of the selected source of each local day and series, nearest first. */
export function readChosenSamples(pool: pg.Pool, userKey: number, request: ChosenRequest): Promise<RawRow[]> {
  return readChosen<RawRow>(pool, userKey, request, {
    isRaw: true,
    read: (selection, position, limit) => readRawRows(pool, userKey, selection, position, limit),
    keyOf: rawKey,
    startMs: (row) => row.start_ms,
    kindOf: (row) => kindOfSlot(row.slot),
  });
}

/** Reads buckets of the selected sources. A bucket belongs to the local day of its start. */
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
 * Walks the range in windows of whole UTC days that grow until the page is full. Reads only sources that are selected on a
 * day of the window, so that the cost depends on the page instead of the number of copies or the length of the range.
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
  // Starts at the position's bucket or instant, because more rows may share it.
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
    const read = { typeIds: selection.typeIds, sourceIds: [...new Set(chosen.values())], bounds: window };
    let isEmpty = true;
    let from = position;
    for (let hasMore = chosen.size > 0; hasMore && found.length < limit; ) {
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
    // An interval ends at most one day after its start.
    edge = backward ? Math.min(edge, dayEnd(next + 2 * MS_PER_DAY)) : Math.max(edge, dayStart(next));
  }
  return found.slice(0, limit);
}

function isChosen<Row extends PlacedRow>(row: Row, minutes: number, chosen: ChosenSources, kind: RowKind<Row>) {
  const ms = kind.startMs(row);
  // As in the writer, a total at midnight UTC without an offset represents a date.
  const isDate =
    kind.kindOf(row) === SAMPLE_KIND_CODE.daily_total && row.offset_minutes === null && ms % MS_PER_DAY === 0;
  const date = localDate(ms, isDate ? 0 : minutes);
  const sourceId = chosen.get(seriesKey(date, row.type_id));
  if (sourceId !== undefined || kind.isRaw) return sourceId === row.source_id;
  // Uses the source of the day before, because an interval of that source may reach into a day without samples of any
  // source.
  return chosen.get(seriesKey(daysAfter(date, -1), row.type_id)) === row.source_id;
}

/** Returns the local dates of a window, and the date before them. */
function localDates({ fromMs, beforeMs }: InstantBounds) {
  return {
    fromDate: daysAfter(localDate(fromMs - BEHIND_MS, 0), -1),
    beforeDate: daysAfter(localDate(beforeMs + AHEAD_MS, 0), 1),
  };
}

function dayStart(ms: number): number {
  return Math.floor(ms / MS_PER_DAY) * MS_PER_DAY;
}

/** Returns the first midnight at or after an instant. */
function dayEnd(ms: number): number {
  return Math.ceil(ms / MS_PER_DAY) * MS_PER_DAY;
}

const { SDNN, RMSSD, OXYGEN, RESPIRATION, RESTING } = FIGURE_TYPES;

/** Night group of each series. Heart rate is missing, because lists use the source of the day's heart rates. */
const NIGHT_GROUPS: ReadonlyMap<number, FigureGroup> = new Map([
  [RMSSD, 'hrv'],
  [SDNN, 'hrv'],
  [OXYGEN, 'oxygen_saturation'],
  [RESPIRATION, 'respiratory_rate'],
  [RESTING, 'resting_heart_rate'],
]);

/** Data of one series of one source on one local day. The counts exclude archived samples; the amount includes them. */
interface SeriesDay {
  date: string;
  type_id: number;
  source_id: number;
  sample_count: number;
  total_count: number;
  aggregate_count: number;
  amount: number | null;
}

/** Reads by the primary keys of day_value and day_archive. Parameters: user, types, from, before. */
const seriesDays = statement(
  'timeseries_series_days',
  `select v.local_date as date, v.type_id, v.source_id, v.sample_count - coalesce(gone.sample_count, 0) as sample_count,
     v.total_count, v.aggregate_count, case when v.total_count > 0 then v.total_sum else v.sample_sum end as amount
   from day_value v
   left join day_archive gone on gone.user_key = $1 and gone.type_id = v.type_id and gone.local_date = v.local_date
     and gone.source_id = v.source_id
   where v.user_key = $1 and v.type_id = any ($2::int2[]) and v.local_date >= $3::date and v.local_date < $4::date`,
);

/** Selected source by local day and series. A series without rows on a day has no source. */
type ChosenSources = ReadonlyMap<string, number>;

function seriesKey(date: string, typeId: number): string {
  return `${date} ${typeId}`;
}

interface SourceChoice extends DayBounds {
  selection: Omit<SampleSelection, 'bounds'>;
  sources: SourceMap;
  priorities: Priorities;
  /** False for buckets, because their sums exclude daily totals. */
  isRaw: boolean;
}

/**
 * Selects one source for each local day and series: the winner of the series' group if the winner has a row, otherwise
 * the best source with rows.
 */
async function chooseSources(pool: pg.Pool, userKey: number, choice: SourceChoice): Promise<ChosenSources> {
  const { selection, sources, priorities, isRaw, fromDate, beforeDate } = choice;
  const [{ rows }, groupOf] = await Promise.all([
    pool.query<SeriesDay>(seriesDays([userKey, selection.typeIds, fromDate, beforeDate])),
    readGroups(pool, userKey, choice),
  ]);
  const ruleOf = ruleSources();
  const requestedSources = selection.sourceIds && new Set(selection.sourceIds);
  const counted = rows.filter(
    (row) => sources.has(row.source_id) && requestedSources?.has(row.source_id) !== false && hasRows(row, isRaw),
  );
  const series = groupedBy(counted, (row) => seriesKey(row.date, row.type_id));
  const chosen = new Map<string, number>();
  for (const [key, own] of series) {
    const { date, type_id: typeId } = own[0];
    const group = groupOf(date, typeId);
    const leads = new Map(group?.placed.map(({ candidate }) => [candidate.source.identity, candidate.lead]));
    // Computed values are used only without a vendor's own values.
    const measured = own.filter((row) => !isSeriesComputed(sources.get(row.source_id)!.provider, typeId));
    const candidates = (measured.length > 0 ? measured : own).map((row) => {
      const source = ruleOf(sources.get(row.source_id)!);
      return { source, sourceId: row.source_id, lead: group ? (leads.get(source.identity) ?? null) : leadOf(row) };
    });
    const isWinner = ({ source }: Candidate) => source.identity === group?.winner?.source.identity;
    const winner =
      candidates.find(isWinner) ??
      selectSource(candidates, group?.rule ?? { priorities, enough: 'any', isSum: true }).winner;
    if (winner) chosen.set(key, winner.sourceId);
  }
  return chosen;
}

function hasRows(row: SeriesDay, isRaw: boolean): boolean {
  if (row.sample_count > 0) return true;
  const isSum = seriesTypeById(row.type_id)?.rule === 'sum';
  return (isRaw || !isSum) && row.total_count + row.aggregate_count > 0;
}

/** Returns the lead figure of a series without a group. Sources with zero or without a sum are candidates too. */
function leadOf({ type_id: typeId, amount }: SeriesDay): number | null {
  return seriesTypeById(typeId)?.rule === 'sum' ? 1 + Math.max(0, amount ?? 0) : null;
}

/** Reads the summaries whose groups contain any of the series, and finds the group that contains a series on a date. */
async function readGroups(
  pool: pg.Pool,
  userKey: number,
  { selection: { typeIds }, priorities, fromDate, beforeDate }: SourceChoice,
): Promise<(date: string, typeId: number) => Selection<Candidate> | undefined> {
  const bounds = { fromDate, beforeDate };
  const isNightly = typeIds.some((typeId) => NIGHT_GROUPS.has(typeId));
  const [days, nights] = await Promise.all([
    typeIds.some((typeId) => ACTIVITY_TYPES.includes(typeId)) ? readDays(pool, userKey, bounds, priorities) : undefined,
    isNightly ? readNights(pool, userKey, bounds, priorities) : undefined,
  ]);
  const figures = async (of: 'sleep' | 'recovery', types: readonly number[]) =>
    nights && typeIds.some((typeId) => types.includes(typeId))
      ? new Map(
          (await readNightFigures(pool, userKey, { nights, ...bounds, priorities, of })).map((one) => [one.date, one]),
        )
      : new Map<string, NightFigures>();
  const [asleep, recovered] = await Promise.all([
    figures('sleep', [RESPIRATION]),
    figures('recovery', [RMSSD, SDNN, OXYGEN, RESTING]),
  ]);
  return (date, typeId) => {
    const day = days?.get(date);
    const name = activityGroup(typeId);
    if (day && name) return day[name];
    const night = (typeId === RESPIRATION ? asleep : recovered).get(date);
    const nightGroup = NIGHT_GROUPS.get(typeId);
    return nightGroup && night?.groups[nightGroup];
  };
}

type ActivityGroup = keyof typeof GROUPS;

function activityGroup(typeId: number): ActivityGroup | undefined {
  const names = Object.keys(GROUPS) as ActivityGroup[];
  return names.find((name) => (GROUPS[name].types as readonly number[]).includes(typeId));
}

async function readDays(pool: pg.Pool, userKey: number, bounds: DayBounds, priorities: Priorities) {
  const query = { typeIds: ACTIVITY_TYPES, ...bounds, position: null, ascending: true, limit: null };
  const { rows, climbs } = await readDayValues(pool, userKey, query);
  return new Map(groupDays(rows, climbs, priorities).map((day) => [day.date, day]));
}
