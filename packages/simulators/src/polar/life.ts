import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { Calendar, type LocalDay } from '../calendar.js';
import { Random } from '../random.js';
import { clockText, durationText } from './dates.js';
import type { PolarForms, TrueNightSeconds } from './forms.js';
import { madeUpNight, predicted } from './night.js';
import type { PolarExercise, PolarInput } from './wire-types.js';

/** Amount of generated data. */
export interface PolarHistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

const SPORTS = [
  ['RUNNING', 'RUNNING'],
  ['OTHER', 'RUNNING_TRAIL'],
  ['CYCLING', 'CYCLING_ROAD'],
  ['OTHER', 'FITNESS_YOGA'],
  ['STRENGTH_TRAINING', 'STRENGTH_TRAINING'],
  ['OTHER', 'WATERSPORTS_KAYAKING'],
] as const;
/** Sports with recorded routes. */
const ROUTED: ReadonlySet<string> = new Set(['RUNNING', 'RUNNING_TRAIL', 'CYCLING_ROAD', 'WATERSPORTS_KAYAKING']);
const LOADS = ['DETRAINING', 'MAINTAINING', 'PRODUCTIVE', 'OVERREACHING'];

type Life = Required<PolarInput>;

/** Generated data at the vendor, and facts about its nights. */
export interface MadeUpLife {
  input: PolarInput;
  nights: Map<string, TrueNightSeconds>;
}

interface LifeDay {
  life: Life;
  calendar: Calendar;
  random: Random;
  nowMs: number;
  day: LocalDay;
  forms: PolarForms;
  seed: number;
}

/**
 * Generates data until now: nights, recharges, days of activity and heart rates, exercises and measurements. Today's
 * values still grow. The same seed, end and formats yield the same data.
 */
export function madeUpLife(
  timeZone: string,
  nowMs: number,
  { seed = 1, days = 30 }: PolarHistoryOptions,
  forms: PolarForms,
): MadeUpLife {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  const nights: MadeUpLife['nights'] = new Map();
  const life: Life = {
    exercises: [],
    activities: [],
    sleep: [],
    recharges: [],
    heartRates: [],
    cardioLoads: [],
    alertness: [],
    bedtimes: [],
    bodyTemperatures: [],
    skinTemperatures: [],
    spo2: [],
    ecg: [],
  };
  for (let back = days - 1; back >= 0; back--) {
    const day = calendar.day(today, -back);
    // Each part draws its own random numbers, so that a growing day does not change its earlier values.
    const part = (purpose: string): LifeDay => {
      const random = new Random(seed, day.number, 'polar', purpose);
      return { life, calendar, random, nowMs, day, forms, seed };
    };
    const isLast = back === 0;
    addNight(part('night'), nights, isLast);
    addActivity(part('activity'));
    addHeartRates(part('heart rates'));
    addLoad(part('load'), days - back);
    addMeasurements(part('measurements'));
    addExercise(part('exercise'));
  }
  return { input: life, nights };
}

function addNight(
  { life, calendar, random, nowMs, day, forms, seed }: LifeDay,
  nights: MadeUpLife['nights'],
  isLast: boolean,
): void {
  const night = madeUpNight(calendar, random, day, {
    wanted: forms,
    random: new Random(seed, day.number, 'polar form'),
  });
  if (night.endMs > nowMs) return;
  nights.set(day.date, night.seconds);
  life.sleep.push(night.sleep);
  life.recharges.push(night.recharge);
  life.alertness.push(night.alertness);
  life.bedtimes.push(night.bedtime);
  life.skinTemperatures.push({
    sleep_date: day.date,
    sleep_time_skin_temperature_celsius: rounded(random.bell(34.8, 0.4), 1),
    deviation_from_baseline_celsius: rounded(random.bell(0, 0.3), 2),
  });
  if (!isLast) return;
  const next = predicted(night);
  life.alertness.push(next.alertness);
  life.bedtimes.push(next.bedtime);
}

/** Adds the day's steps per minute until now. Omits minutes equal to the previous minute. */
function addActivity({ life, calendar, random, nowMs, day }: LifeDay): void {
  const minutes = Math.floor((Math.min(nowMs, day.endMs) - day.startMs) / MS_PER_MINUTE);
  const perMinute = new Array<number>(minutes).fill(0);
  for (let bout = 0; bout < 12; bout++) {
    const from = random.integer(7 * 60, 21 * 60);
    const until = Math.min(from + random.integer(4, 25), minutes - 1);
    const pace = random.integer(60, 120);
    for (let minute = from; minute < until; minute++) {
      perMinute[minute] = random.chance(0.5) ? pace : pace + random.integer(-20, 20);
    }
  }
  const samples = perMinute.flatMap((steps, minute) => {
    if (minute > 0 && perMinute[minute - 1] === steps) return [];
    const ms = day.startMs + minute * MS_PER_MINUTE;
    return [{ steps, timestamp: clockText(ms, calendar.offsetAt(ms)).slice(0, 16) }];
  });
  const steps = perMinute.reduce((sum, one) => sum + one, 0);
  const share = Math.min(1, Math.max(0, (nowMs - day.startMs) / MS_PER_DAY));
  const active_calories = Math.round(steps * 0.04) + Math.round(120 * share);
  life.activities.push({
    // The start time of an activity day is not always midnight.
    start_time: `${day.date}T${random.chance(0.8) ? '00:00:00' : '08:15:30'}`,
    end_time: `${day.date}T23:59:59`,
    active_duration: durationText(Math.round(14_000 * share) + 30),
    inactive_duration: durationText(Math.round(40_000 * share)),
    daily_activity: rounded(random.between(40, 160) * share, 1),
    calories: active_calories + Math.round(1_500 * share),
    active_calories,
    steps,
    inactivity_alert_count: random.integer(0, 2),
    distance_from_steps: rounded(steps * 0.72, 1),
    samples: { date: day.date, steps: { interval_ms: MS_PER_MINUTE, total_steps: steps, samples } },
  });
}

/** Adds a reading every five to ten minutes, in the device's local time. */
function addHeartRates({ life, calendar, random, nowMs, day }: LifeDay): void {
  const heart_rate_samples: object[] = [];
  for (let ms = day.startMs; ms < Math.min(nowMs, day.endMs); ms += random.integer(280, 600) * MS_PER_SECOND) {
    const sample_time = clockText(ms, calendar.offsetAt(ms)).slice(11);
    heart_rate_samples.push({ heart_rate: random.integer(48, 110), sample_time });
  }
  if (heart_rate_samples.length > 0) life.heartRates.push({ date: day.date, heart_rate_samples });
}

/** Every day has a row; the first days have no values. */
function addLoad({ life, random, day }: LifeDay, number: number): void {
  const isKnown = number > 2;
  const of = (low: number, high: number) => (isKnown ? rounded(random.between(low, high), 2) : -1);
  life.cardioLoads.push({
    date: day.date,
    cardio_load_status: isKnown ? LOADS[random.integer(0, 3)] : 'LOAD_STATUS_NOT_AVAILABLE',
    cardio_load: of(0, 180),
    strain: of(10, 90),
    tolerance: of(20, 80),
    cardio_load_ratio: of(0.5, 1.6),
    cardio_load_level: { very_low: 10, low: 30, medium: 60, high: 110, 'very-high': 170 },
  });
}

function addMeasurements({ life, calendar, random, nowMs, day }: LifeDay): void {
  const noonMs = day.startMs + 12 * MS_PER_HOUR;
  if (noonMs + MS_PER_HOUR > nowMs) return;
  if (day.number % 3 === 0) {
    const isCore = day.number % 2 === 0;
    life.bodyTemperatures.push({
      source_device_id: 'B0B1C2D3',
      measurement_type: isCore ? 'TM_CORE_TEMPERATURE' : 'TM_SKIN_TEMPERATURE',
      sensor_location: 'SL_DISTAL',
      start_time: clockText(noonMs, 0),
      end_time: clockText(noonMs + MS_PER_HOUR, 0),
      modified_time: clockText(noonMs + 2 * MS_PER_HOUR, 0),
      samples: [0, 15, 30, 45].map((minute) => ({
        temperature_celsius: rounded(random.bell(isCore ? 36.8 : 34, 0.3), 1),
        // The vendor sends this value as a number or as text.
        recording_time_delta_milliseconds: random.chance(0.5) ? minute * MS_PER_MINUTE : String(minute * MS_PER_MINUTE),
      })),
    });
  }
  const test = (minute: number) => ({
    source_device_id: 'B0B1C2D3',
    test_time: Math.round((noonMs + minute * MS_PER_MINUTE) / MS_PER_SECOND),
    time_zone_offset: calendar.offsetAt(noonMs),
    average_heart_rate_bpm: random.integer(50, 70),
    heart_rate_variability_ms: rounded(random.bell(48, 8), 1),
  });
  if (day.number % 2 === 0) {
    life.spo2.push({
      ...test(5),
      test_status: random.chance(0.8) ? 'SPO2_TEST_PASSED' : 'SPO2_TEST_INCONCLUSIVE_TOO_MUCH_MOVEMENT',
      blood_oxygen_percent: random.integer(94, 99),
      spo2_class: 'SPO2_CLASS_NORMAL',
      altitude_meters: 112,
    });
  }
  if (day.number % 5 === 0) life.ecg.push({ ...test(20), rri_ms: 1_016, samples: [], quality_measurements: [] });
}

/** Omits values that the device did not measure. */
function addExercise({ life, calendar, random, nowMs, day, forms, seed }: LifeDay): void {
  if (!random.chance(0.55)) return;
  const startMs = day.startMs + random.integer(16 * 60, 19 * 60) * MS_PER_MINUTE + 30 * MS_PER_SECOND;
  const seconds = random.integer(20, 80) * 60 + 12.5;
  const endMs = startMs + seconds * MS_PER_SECOND;
  if (endMs + MS_PER_HOUR > nowMs) return;
  const [sport, detailed_sport_info] = SPORTS[random.integer(0, SPORTS.length - 1)] ?? SPORTS[0];
  const offset = calendar.offsetAt(startMs);
  const readings = (recording: number, low: number, high: number) => ({
    'recording-rate': recording,
    data: Array.from({ length: Math.floor(seconds / recording) }, () =>
      random.chance(0.05) ? 'null' : rounded(random.between(low, high), 1),
    ).join(','),
  });
  const whole: PolarExercise = {
    id: `x${seed.toString(36)}${day.number.toString(36)}`,
    upload_time: new Date(endMs + 20 * MS_PER_MINUTE).toISOString(),
    start_time: clockText(startMs, offset),
    start_time_utc_offset: offset,
    duration: durationText(seconds),
    calories: random.integer(150, 900),
    training_load: rounded(random.between(20, 150), 1),
    sport,
    detailed_sport_info,
    has_route: ROUTED.has(detailed_sport_info),
    heart_rate_zones: [1, 2, 3, 4, 5].map((index) => ({
      index,
      'lower-limit': 70 + 20 * index,
      'upper-limit': 90 + 20 * index,
      'in-zone': durationText(random.integer(0, 900)),
    })),
    samples: [
      { 'sample-type': '0', ...readings(10, 90, 175) },
      { 'sample-type': '1', ...readings(10, 8, 16) },
      { 'sample-type': '2', ...readings(10, 70, 95) },
      { 'sample-type': '3', ...readings(10, 100, 180) },
      { 'sample-type': '4', ...readings(10, 120, 300) },
    ],
  };
  if (random.chance(0.85)) Object.assign(whole, { device: forms.device, device_id: 'B0B1C2D3' });
  if (random.chance(0.85)) whole.heart_rate = { average: random.integer(110, 150), maximum: random.integer(151, 185) };
  if (random.chance(0.7)) whole.distance = rounded(random.between(2_000, 15_000), 1);
  if (whole.has_route) whole.route = madeUpRoute(seconds);
  life.exercises.push(whole);
}

/** A point every ten seconds, northward. */
function madeUpRoute(seconds: number): object[] {
  return Array.from({ length: Math.floor(seconds / 10) }, (_, n) => ({
    latitude: rounded(61.49 + n * 0.0003, 6),
    longitude: 23.76,
    time: durationText(n * 10 + 0.4),
    satellites: 9,
    fix: 2,
  }));
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
