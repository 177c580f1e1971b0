import { MinuteBitmap } from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import type pg from 'pg';
import { activitySummary } from './activity-summary.js';
import { asleepByDate } from './asleep-minutes.js';
import type { GroupedDay } from './day-groups.js';
import { type DayMinutesRow, dayMinutes } from './day-minutes.sql.js';
import type { DayValues } from './day-values.js';
import { heartRateZones, maximumHeartRate } from './heart-rate-zones.js';

/** Returns the summaries of days whose sources are selected, each at the place of its day; undefined without a figure. */
export async function summariseDays(
  pool: pg.Pool,
  userKey: number,
  days: readonly GroupedDay[],
  { birthDate, nights }: Pick<DayValues, 'birthDate' | 'nights'>,
): Promise<(ActivitySummary | undefined)[]> {
  if (days.length === 0) return [];
  const asking = pool.query<DayMinutesRow>(dayMinutes([userKey, ...selectedMinutes(days, birthDate)]));
  // Computed while the database reads the histograms.
  const asleepOf = asleepByDate(nights);
  const minutes = await asking;
  const minutesOf = new Map(minutes.rows.map((row) => [`${row.local_date} ${row.source_id}`, row]));
  return days.map((day) => {
    const of = (sourceId: number | undefined) => minutesOf.get(`${day.date} ${sourceId}`);
    return activitySummary(day, {
      movement: of(day.movement.winner?.row.source_id),
      heartRate: of(day.heart_rate.winner?.row.source_id),
      asleep: asleepOf.get(day.date) ?? new MinuteBitmap(),
    });
  });
}

/**
 * The look-ups of the day_minutes statement as parallel arrays: every selected source once a day. A bin of a histogram is
 * 2 × floor(bpm), plus 1 with a fraction, hence the doubled bounds.
 */
function selectedMinutes(
  days: readonly GroupedDay[],
  birthDate: string | null,
): [string[], number[], number[], number[], number[]] {
  const columns: [string[], number[], number[], number[], number[]] = [[], [], [], [], []];
  for (const { date, movement, heart_rate: heart } of days) {
    const zones = heartRateZones(maximumHeartRate(birthDate, date));
    for (const sourceId of new Set([movement.winner?.row.source_id, heart.winner?.row.source_id])) {
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
