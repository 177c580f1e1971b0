import {
  dayStartMs,
  fromDayNumber,
  localDayNumber,
  MinuteBitmap,
  MS_PER_MINUTE,
  round,
  seriesTypeByCode,
} from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { sumValue } from '../presentation.js';
import { sourceOrNull } from '../sources.js';
import { type GroupedDay, meanOf } from './day-groups.js';
import { type DayValueRow, type DayValues, daySum, FLIGHTS, type SleptRow, STEPS, shownSum } from './day-values.js';
import { heartRateZones, maximumHeartRate } from './heart-rate-zones.js';

/** Minutes of one day and source. Seconds by zone are null if the source has no heart rate on that day. */
interface DayMinutesRow {
  local_date: string;
  source_id: number;
  heart_bits: Buffer | null;
  step_bits: Buffer | null;
  active_bits: Buffer | null;
  light_seconds: number | null;
  moderate_seconds: number | null;
  vigorous_seconds: number | null;
}

/**
 * Looks up day_minutes by primary key, once per selected day and source. Splits heart rates into zones here, so that
 * histograms never leave the database. Unnests each histogram in a select list, because a function in `from` would copy
 * it. Parameters: user, then arrays: dates, source ids, first bin of light, last bins of light and of moderate.
 */
const dayMinutes = statement(
  'activity_minutes',
  `select m.local_date, m.source_id, bit_send(m.heart_rate_minutes) as heart_bits,
     bit_send(m.step_minutes) as step_bits, bit_send(m.active_minutes) as active_bits,
     zone.light as light_seconds, zone.moderate as moderate_seconds, zone.vigorous as vigorous_seconds
   from unnest($2::date[], $3::int4[], $4::int4[], $5::int4[], $6::int4[])
     as chosen(local_date, source_id, light_from, light_to, moderate_to)
   join day_minutes m
     on m.user_key = $1 and m.local_date = chosen.local_date and m.source_id = chosen.source_id
   left join lateral (
     select coalesce(sum(seconds::float8) filter (where bin <= light_to), 0) as light,
       coalesce(sum(seconds::float8) filter (where bin > light_to and bin <= moderate_to), 0) as moderate,
       coalesce(sum(seconds::float8) filter (where bin > moderate_to), 0) as vigorous
     from (select unnest(m.heart_rate_bins) as bin, unnest(m.heart_rate_seconds) as seconds) histogram
     where bin >= light_from
   ) zone on cardinality(m.heart_rate_bins) > 0`,
);

/** Returns the summaries of days whose sources are selected, in the same order; undefined for a day without figures. */
export async function summariseDays(
  pool: pg.Pool,
  userKey: number,
  days: readonly GroupedDay[],
  { birthDate, nights }: Pick<DayValues, 'birthDate' | 'nights'>,
): Promise<(ActivitySummary | undefined)[]> {
  if (days.length === 0) return [];
  const pending = pool.query<DayMinutesRow>(dayMinutes([userKey, ...selectedMinutes(days, birthDate)]));
  // Runs while the database reads the histograms.
  const asleepOf = asleepByDate(nights);
  const minutes = await pending;
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
 * Returns the parameters of the day_minutes statement as parallel arrays: each selected source once per day. The bin of a
 * heart rate is 2 × floor(bpm), plus 1 with a fraction, so bounds are doubled.
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

/** Returns the minutes asleep of all sources by local date. A session without stages counts completely. */
function asleepByDate(sessions: readonly SleptRow[]): Map<string, MinuteBitmap> {
  const byDay = new Map<number, MinuteBitmap>();
  const add = (startMs: number, endMs: number, offsetMinutes: number) => {
    const lastDay = localDayNumber(endMs - 1, offsetMinutes);
    for (let day = localDayNumber(startMs, offsetMinutes); day <= lastDay; day++) {
      const minutes = byDay.get(day) ?? new MinuteBitmap();
      byDay.set(day, minutes);
      const midnightMs = dayStartMs(day, offsetMinutes);
      minutes.add((startMs - midnightMs) / MS_PER_MINUTE, (endMs - midnightMs) / MS_PER_MINUTE);
    }
  };
  for (const { asleep_spans: spans, offset_minutes } of sessions) {
    for (let at = 0; at + 1 < spans.length; at += 2) add(spans[at] ?? 0, spans[at + 1] ?? 0, offset_minutes);
  }
  return new Map([...byDay].map(([day, minutes]) => [fromDayNumber(day), minutes]));
}

const DISTANCE = seriesTypeByCode('distance_walking_running').id;
const ACTIVE_TIME = seriesTypeByCode('active_time').id;
const ENERGY = seriesTypeByCode('energy').id;
const BASAL_ENERGY = seriesTypeByCode('basal_energy').id;
const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Meters of climbing that count as one floor if the source does not count floors. */
const METERS_PER_FLOOR = 3;
/** Minimum covered time for which sedentary time is computed. */
const MIN_COVERED_MINUTES = 6 * 60;

/** Minutes that the groups of a day need. */
interface DayMinutes {
  /** Minutes of the source that won the movement group. */
  movement: DayMinutesRow | undefined;
  /** Minutes of the source that won the heart-rate group. */
  heartRate: DayMinutesRow | undefined;
  asleep: MinuteBitmap;
}

/** Returns the row of one day; undefined if no group has a value. */
function activitySummary(day: GroupedDay, minutes: DayMinutes): ActivitySummary | undefined {
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
 * Returns the source's own active minutes of the day, or the minutes with enough steps. Sedentary minutes are the other
 * covered minutes without sleep; null below six hours of coverage.
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
