import { MinuteBitmap } from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { sumValue } from '../presentation.js';
import { activitySummary } from './activity-summary.js';
import { asleepByDate } from './asleep-minutes.js';
import type { Winner } from './choose-sources.js';
import { type DayMinutesRow, dayMinutes } from './day-minutes.sql.js';
import type { DayValues } from './day-values.js';
import type { Family } from './families.js';
import { heartRateZones, maximumHeartRate } from './heart-rate-zones.js';
import type { ChosenDay } from './merge-families.js';

/** The summaries of days on which the sources are chosen. */
export async function summariseDays(
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
