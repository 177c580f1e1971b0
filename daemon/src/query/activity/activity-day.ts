import { MinuteBitmap, round, seriesTypeByCode } from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import { sumValue } from '../presentation.js';
import { sourceMetadata } from '../sources.js';
import type { DayMinutesRow } from './day-minutes.sql.js';
import type { DayValueRow } from './day-values.js';
import type { Family, Winner } from './families.js';

const STEPS = seriesTypeByCode('steps').id;
const DISTANCE = seriesTypeByCode('distance_walking_running').id;
const FLIGHTS = seriesTypeByCode('flights_climbed').id;
const ACTIVE_TIME = seriesTypeByCode('active_time').id;
const ENERGY = seriesTypeByCode('energy').id;
const BASAL_ENERGY = seriesTypeByCode('basal_energy').id;
const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Metres of climbing that count as one floor where no source counts floors. */
const METERS_PER_FLOOR = 3;
/** Below this much known time nothing is said about the rest of the day. */
const MIN_COVERED_MINUTES = 6 * 60;

/** Everything known about one day, one source chosen per family. */
export interface ActivityDay {
  date: string;
  chosen: Record<Family, Winner | undefined>;
  movementMinutes: DayMinutesRow | undefined;
  heartMinutes: DayMinutesRow | undefined;
  asleep: MinuteBitmap;
  elevationMeters: number | null;
}

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

/** The amount of one metric as the summary shows it: steps and floors are whole. */
export function shownSum(typeId: number, value: DayValueRow | undefined): number | null {
  const sum = daySum(value);
  return sum !== null && (typeId === STEPS || typeId === FLIGHTS) ? round(sum) : sum;
}

/** A provider's own total of the day wins over the sum of samples; null when there is neither. */
function daySum(value: DayValueRow | undefined): number | null {
  if (!value) return null;
  const sum = value.total_count > 0 ? value.total_sum : value.sample_sum;
  return sum === null ? null : sumValue(sum);
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

/**
 * Active minutes are the source's own daily figure, else the minutes with enough steps. Sedentary is what is left of
 * the covered minutes without sleep; nothing is said while less than six hours are covered.
 */
function movementMinutes(day: ActivityDay): Pick<ActivitySummary, 'active_minutes' | 'sedentary_minutes'> {
  const activeTime = daySum(day.chosen.movement?.values.get(ACTIVE_TIME));
  const tracked = day.movementMinutes?.step_bits ?? null;
  const activeMinutes = MinuteBitmap.sent(day.movementMinutes?.active_bits ?? null);
  const active = activeTime === null ? tracked && activeMinutes.count() : round(activeTime);
  const covered = MinuteBitmap.sent(tracked).union(MinuteBitmap.sent(day.heartMinutes?.heart_bits ?? null));
  if (active === null || covered.count() < MIN_COVERED_MINUTES) {
    return { active_minutes: active, sedentary_minutes: null };
  }
  const awake = covered.without(day.asleep);
  const sedentary = activeTime === null ? awake.without(activeMinutes).count() : Math.max(0, awake.count() - active);
  return { active_minutes: active, sedentary_minutes: sedentary };
}
