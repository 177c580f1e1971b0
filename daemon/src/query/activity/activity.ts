import { MinuteBitmap } from '@healthd/model';
import type { ActivityMerge, ActivitySummary, DateOrInstant, Envelope } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { dayBounds } from '../bounds.js';
import { Cursors, pageOf } from '../cursors.js';
import { pageEnvelope } from '../page-envelope.js';
import { sumValue } from '../presentation.js';
import type { SummarySource } from '../summary-source.js';
import { activitySummary } from './activity-day.js';
import { asleepByDate } from './asleep-minutes.js';
import { type DayMinutesRow, dayMinutes } from './day-minutes.sql.js';
import { type DayValueRow, type DayValues, readDayValues } from './day-values.js';
import { ACTIVITY_TYPES, chooseSources, type Family, type Winner } from './families.js';
import { heartRateZones, maximumHeartRate } from './heart-rate-zones.js';
import { type ChosenDay, withMergedTotals } from './merge-families.js';

export interface ActivityParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
  sortOrder: 'asc' | 'desc';
  /** `interval` adds up the sources of the chosen provider, each instant counted once. */
  merge?: ActivityMerge;
}

/**
 * One row per local day with data. Reads roll-ups, workouts and sessions only; two statements regardless of the range, and a
 * third with `merge: 'interval'`, which reads samples of days that were not merged since they changed.
 */
export async function readActivity(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: ActivityParams,
): Promise<Envelope<ActivitySummary>> {
  const { start, end, limit, sortOrder, merge = 'source' } = params;
  const bounds = dayBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['date'], { route: 'activity', userKey, filters: { sortOrder, merge } });
  const position = cursors.decode(params.cursor);
  const ascending = (sortOrder === 'asc') !== (position?.before ?? false);
  const after = position === undefined ? null : String(position.key[0]);
  const [values, priorities] = await Promise.all([
    readDayValues(pool, userKey, { typeIds: ACTIVITY_TYPES, ...bounds, position: after, ascending, limit: limit + 1 }),
    store.current(),
  ]);
  const page = pageOf(chosenDays(values.rows, priorities), limit, position, cursors, (day) => [day.date]);
  const days = merge === 'interval' ? await withMergedTotals(pool, userKey, page.rows, priorities) : page.rows;
  const summaries = await summarise(pool, userKey, days, values, priorities);
  const facts = { start, end, totalCount: values.days };
  return pageEnvelope({ ...page, rows: summaries }, (summary) => summary, facts);
}

/** Days with the sources chosen on them. The values arrive day by day. */
export function chosenDays(rows: readonly DayValueRow[], priorities: Priorities): ChosenDay[] {
  const byDate = new Map<string, DayValueRow[]>();
  for (const row of rows) {
    const day = byDate.get(row.local_date);
    if (day) day.push(row);
    else byDate.set(row.local_date, [row]);
  }
  return [...byDate].map(([date, values]) => ({
    date,
    values,
    chosen: chooseSources(values, priorities),
  }));
}

async function summarise(
  pool: pg.Pool,
  userKey: number,
  days: readonly ChosenDay[],
  { birthDate, nights, climbs }: DayValues,
  priorities: Priorities,
): Promise<ActivitySummary[]> {
  if (days.length === 0) return [];
  const asking = pool.query<DayMinutesRow>(dayMinutes([userKey, ...chosenMinutes(days, birthDate)]));
  // Worked out while the database takes histograms apart.
  const asleepOf = asleepByDate(nights);
  const minutes = await asking;
  const minutesOf = new Map(minutes.rows.map((row) => [`${row.local_date} ${row.source_id}`, row]));
  return days.flatMap(({ date, chosen }) => {
    const of = (family: Family) => minutesOf.get(`${date} ${chosen[family]?.source.source_id}`);
    const summary = activitySummary({
      date,
      chosen,
      movementMinutes: of('movement'),
      heartMinutes: of('heart'),
      asleep: asleepOf.get(date) ?? new MinuteBitmap(),
      elevationMeters: elevationOf(
        climbs.filter((row) => row.local_date === date),
        chosen.movement,
        priorities,
      ),
    });
    return summary ? [summary] : [];
  });
}

/**
 * The look-ups of the day_minutes statement as parallel arrays: every chosen source once a day. A bin of a histogram is
 * 2 × floor(bpm), plus 1 with a fraction, hence the doubled bounds.
 */
function chosenMinutes(
  days: readonly ChosenDay[],
  birthDate: string | null,
): [string[], number[], number[], number[], number[]] {
  const columns: [string[], number[], number[], number[], number[]] = [[], [], [], [], []];
  for (const { date, chosen } of days) {
    const zones = heartRateZones(maximumHeartRate(birthDate, date));
    for (const sourceId of new Set([chosen.movement?.source.source_id, chosen.heart?.source.source_id])) {
      if (sourceId === undefined) continue;
      columns[0].push(date);
      columns[1].push(sourceId);
      columns[2].push(2 * zones.lightFrom);
      columns[3].push(2 * zones.lightTo);
      columns[4].push(2 * zones.moderateTo);
    }
  }
  return columns;
}

/** Climbing of the workouts of one source: the day's own movement source if it has some, else the best-ranked one. */
function elevationOf(rows: DayValues['climbs'], movement: Winner | undefined, priorities: Priorities): number | null {
  const ranked = (row: DayValues['climbs'][number]) => ({
    provider: row.provider,
    deviceType: row.device_type,
    sourceId: row.source_id,
    coveredMinutes: 0,
  });
  const best =
    rows.find((row) => row.source_id === movement?.source.source_id) ??
    [...rows].sort((a, b) => priorities.compare(ranked(a), ranked(b)))[0];
  return best ? sumValue(best.elevation_meters) : null;
}
