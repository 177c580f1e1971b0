import { round, seriesTypeByCode } from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import { sumValue } from '../presentation.js';
import { sourceMetadata } from '../sources.js';
import type { ActivityDay } from './activity-day.js';
import type { DayMinutesRow } from './day-minutes.sql.js';
import { daySum, FLIGHTS, STEPS, shownSum } from './day-sums.js';
import type { DayValueRow } from './day-value-row.js';
import { movementMinutes } from './movement-minutes.js';

const DISTANCE = seriesTypeByCode('distance_walking_running').id;

const ENERGY = seriesTypeByCode('energy').id;
const BASAL_ENERGY = seriesTypeByCode('basal_energy').id;
const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Metres of climbing that count as one floor where no source counts floors. */
const METERS_PER_FLOOR = 3;

/** The row of one day; undefined when no family has a value. */
export function activitySummary(day: ActivityDay): ActivitySummary | undefined {
  const { movement, energy, heart } = day.chosen;
  const main = movement ?? energy ?? heart;
  if (!main) return undefined;
  const active = daySum(energy?.values.get(ENERGY));
  const basal = daySum(energy?.values.get(BASAL_ENERGY));
  return {
    date: day.date,
    source: sourceMetadata(main.source),
    steps: shownSum(STEPS, movement?.values.get(STEPS)),
    distance_meters: shownSum(DISTANCE, movement?.values.get(DISTANCE)),
    floors_climbed: floors(shownSum(FLIGHTS, movement?.values.get(FLIGHTS)), day.elevationMeters),
    elevation_meters: day.elevationMeters,
    active_calories_kcal: active,
    total_calories_kcal: active === null || basal === null ? null : sumValue(active + basal),
    ...movementMinutes(day),
    intensity_minutes: intensityMinutes(day.heartMinutes),
    heart_rate: heartRate(heart?.values.get(HEART_RATE)),
  };
}

function floors(flights: number | null, elevationMeters: number | null): number | null {
  if (flights !== null) return flights;
  return elevationMeters !== null && elevationMeters > 0 ? Math.trunc(elevationMeters / METERS_PER_FLOOR) : null;
}

function heartRate(value: DayValueRow | undefined): ActivitySummary['heart_rate'] {
  if (!value) return null;
  const [sum, count] =
    value.sample_count > 0 ? [value.sample_sum, value.sample_count] : [value.total_sum, value.total_count];
  const whole = (bpm: number | null) => (bpm === null ? null : round(bpm));
  return {
    avg_bpm: sum === null ? null : round(sum / count),
    max_bpm: whole(value.sample_max),
    min_bpm: whole(value.sample_min),
  };
}

function intensityMinutes(minutes: DayMinutesRow | undefined): ActivitySummary['intensity_minutes'] {
  if (!minutes || minutes.light_seconds === null) return null;
  const whole = (seconds: number | null) => round((seconds ?? 0) / 60);
  return {
    light: whole(minutes.light_seconds),
    moderate: whole(minutes.moderate_seconds),
    vigorous: whole(minutes.vigorous_seconds),
  };
}
