import { MinuteBitmap, round, seriesTypeByCode } from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import { sumValue } from '../presentation.js';
import { sourceOrNull } from '../sources.js';
import { type GroupedDay, meanOf } from './day-groups.js';
import type { DayMinutesRow } from './day-minutes.sql.js';
import { daySum, FLIGHTS, STEPS, shownSum } from './day-sums.js';
import type { DayValueRow } from './day-value-row.js';

const DISTANCE = seriesTypeByCode('distance_walking_running').id;
const ACTIVE_TIME = seriesTypeByCode('active_time').id;
const ENERGY = seriesTypeByCode('energy').id;
const BASAL_ENERGY = seriesTypeByCode('basal_energy').id;
const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Meters of climbing that count as one floor if the source does not count floors. */
const METERS_PER_FLOOR = 3;
/** Below this much known time the sedentary time is unknown. */
const MIN_COVERED_MINUTES = 6 * 60;

/** What the minutes of a day add to its groups. */
export interface DayMinutes {
  /** Of the source that won the movement. */
  movement: DayMinutesRow | undefined;
  /** Of the source that won the heart rate. */
  heartRate: DayMinutesRow | undefined;
  asleep: MinuteBitmap;
}

/** The row of one day; undefined if no group has a value. */
export function activitySummary(day: GroupedDay, minutes: DayMinutes): ActivitySummary | undefined {
  const [movement, energy, heart] = [day.movement.winner, day.energy.winner, day.heart_rate.winner];
  const climb = day.elevation.winner;
  const sources = {
    movement: sourceOrNull(movement?.row),
    energy: sourceOrNull(energy?.row),
    heart_rate: sourceOrNull(heart?.row),
    elevation: sourceOrNull(climb?.row),
  };
  const source = sources.movement ?? sources.energy ?? sources.heart_rate;
  if (!source) return undefined;
  const active = daySum(energy?.values.get(ENERGY));
  const basal = daySum(energy?.values.get(BASAL_ENERGY));
  const elevation = climb ? sumValue(climb.row.elevation_meters) : null;
  const ownElevation = climb && climb.row.source_id === movement?.row.source_id ? elevation : null;
  return {
    date: day.date,
    source,
    sources,
    steps: shownSum(STEPS, movement?.values.get(STEPS)),
    distance_meters: shownSum(DISTANCE, movement?.values.get(DISTANCE)),
    floors_climbed: floors(shownSum(FLIGHTS, movement?.values.get(FLIGHTS)), ownElevation),
    elevation_meters: elevation,
    active_calories_kcal: active,
    total_calories_kcal: active === null || basal === null ? null : sumValue(active + basal),
    ...movementMinutes(daySum(movement?.values.get(ACTIVE_TIME)), minutes),
    intensity_minutes: intensityMinutes(minutes.heartRate),
    heart_rate: heartRate(heart?.values.get(HEART_RATE)),
  };
}

function floors(flights: number | null, elevationMeters: number | null): number | null {
  if (flights !== null) return flights;
  return elevationMeters !== null && elevationMeters > 0 ? Math.trunc(elevationMeters / METERS_PER_FLOOR) : null;
}

function heartRate(value: DayValueRow | undefined): ActivitySummary['heart_rate'] {
  if (!value) return null;
  const whole = (bpm: number | null) => (bpm === null ? null : round(bpm));
  return { avg_bpm: whole(meanOf(value)), max_bpm: whole(value.sample_max), min_bpm: whole(value.sample_min) };
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
 * Active minutes are the source's own daily figure, else the minutes with enough steps. Sedentary minutes are the rest of
 * the minutes that the source covers, without sleep; null below six hours.
 * @param activeTime the source's own figure in minutes
 */
function movementMinutes(
  activeTime: number | null,
  { movement, asleep }: DayMinutes,
): Pick<ActivitySummary, 'active_minutes' | 'sedentary_minutes'> {
  const tracked = movement?.step_bits ?? null;
  const activeMinutes = MinuteBitmap.sent(movement?.active_bits ?? null);
  const active = activeTime === null ? tracked && activeMinutes.count() : round(activeTime);
  const covered = MinuteBitmap.sent(tracked).union(MinuteBitmap.sent(movement?.heart_bits ?? null));
  if (active === null || covered.count() < MIN_COVERED_MINUTES) {
    return { active_minutes: active, sedentary_minutes: null };
  }
  const awake = covered.without(asleep);
  const sedentary = activeTime === null ? awake.without(activeMinutes).count() : Math.max(0, awake.count() - active);
  return { active_minutes: active, sedentary_minutes: sedentary };
}
