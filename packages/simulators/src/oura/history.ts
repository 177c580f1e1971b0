import { createHash } from 'node:crypto';
import { formatOffset, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { Calendar, type LocalDay } from '../calendar.js';
import { Random } from '../random.js';
import type { OuraDocument, OuraHeartRate, OuraInput } from './wire-types.js';

/** Amount of generated data. */
export interface OuraHistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

const SPORTS = ['running', 'cycling', 'strengthTraining', 'hiking', 'yoga', 'walking'] as const;
const FIVE_MINUTES_MS = 5 * MS_PER_MINUTE;
const PHASE_MS = 30 * MS_PER_SECOND;

/** All generated data, with every collection. */
type Life = Required<OuraInput>;

interface LifeDay {
  life: Life;
  calendar: Calendar;
  random: Random;
  nowMs: number;
  seed: number;
  day: LocalDay;
}

/**
 * Generates data until now: a night before each day, naps, workouts and daily values. Today's values still grow. The
 * same seed and end yield the same documents.
 */
export function madeUpLife(timeZone: string, nowMs: number, { seed = 1, days = 30 }: OuraHistoryOptions): OuraInput {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  const life: Life = {
    sleep: [],
    workout: [],
    daily_activity: [],
    daily_sleep: [],
    daily_readiness: [],
    daily_spo2: [],
    daily_stress: [],
    daily_resilience: [],
    daily_cardiovascular_age: [],
    vO2_max: [],
    heartrate: [],
  };
  for (let back = days - 1; back >= 0; back--) {
    const day = calendar.day(today, -back);
    // Each part draws its own random numbers, so that a growing day does not change its earlier values.
    const part = (purpose: string): LifeDay => {
      return { life, calendar, random: new Random(seed, day.number, purpose), nowMs, seed, day };
    };
    const wakeMs = addNight(part('night'));
    addDay(part('day'));
    addHeartRates(part('heart rates'), wakeMs);
    addNap(part('nap'), wakeMs + 7 * MS_PER_HOUR);
    addWorkout(part('workout'), wakeMs + 9 * MS_PER_HOUR);
  }
  return life;
}

/** @returns the time of waking */
function addNight({ life, calendar, random, nowMs, seed, day }: LifeDay): number {
  const startMs = roundedMs(day.startMs + random.bell(-40, 50) * MS_PER_MINUTE, PHASE_MS);
  const phases = madeUpPhases(random, Math.round((random.bell(7.6, 0.8) * MS_PER_HOUR) / PHASE_MS));
  const endMs = startMs + phases.length * PHASE_MS;
  if (endMs > nowMs) return endMs;
  const night = sleepDocument({ calendar, random, startMs, phases });
  life.sleep.push({ id: uuid(seed, day.number, 'night'), day: day.date, type: 'long_sleep', ...night });
  for (const row of nightHeartRates(night)) life.heartrate.push(row);
  const contributors = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, random.chance(0.95) ? random.integer(50, 100) : null]));
  // This offset is independent of the user's zone.
  const stamp = `${day.date}T00:00:00${random.chance(0.9) ? '+00:00' : '-08:00'}`;
  life.daily_sleep.push({
    ...dated(seed, day, 'sleep score'),
    timestamp: stamp,
    score: random.integer(55, 96),
    contributors: contributors(SLEEP_CONTRIBUTORS),
  });
  life.daily_readiness.push({
    ...dated(seed, day, 'readiness'),
    timestamp: stamp,
    score: random.integer(50, 97),
    temperature_deviation: rounded(random.bell(0, 0.3), 2),
    temperature_trend_deviation: rounded(random.bell(0, 0.15), 2),
    contributors: contributors(READINESS_CONTRIBUTORS),
  });
  // The vendor sends 0 and null for nights without a value.
  const average = random.chance(0.9) ? rounded(random.bell(96.8, 0.7), 2) : 0;
  life.daily_spo2.push({
    ...dated(seed, day, 'spo2'),
    spo2_percentage: random.chance(0.97) ? { average } : null,
    breathing_disturbance_index: random.integer(0, 20),
  });
  if (day.number % 7 === 0) {
    life.daily_cardiovascular_age.push({ ...dated(seed, day, 'age'), vascular_age: 30 + random.integer(0, 5) });
    const timestamp = text(calendar, endMs);
    life.vO2_max.push({ ...dated(seed, day, 'vo2'), timestamp, vo2_max: rounded(random.bell(43, 2), 1) });
  }
  return endMs;
}

const SLEEP_CONTRIBUTORS = [
  'deep_sleep',
  'efficiency',
  'latency',
  'rem_sleep',
  'restfulness',
  'timing',
  'total_sleep',
] as const;
const READINESS_CONTRIBUTORS = [
  'activity_balance',
  'body_temperature',
  'hrv_balance',
  'previous_day_activity',
  'previous_night',
  'recovery_index',
  'resting_heart_rate',
  'sleep_balance',
] as const;
const ACTIVITY_CONTRIBUTORS = ['meet_daily_targets', 'move_every_hour', 'stay_active', 'training_volume'] as const;

function addDay({ life, calendar, random, nowMs, seed, day }: LifeDay): void {
  const share = Math.min(1, Math.max(0, (nowMs - day.startMs) / MS_PER_DAY));
  const of = (whole: number) => Math.round(whole * share);
  const fourMs = day.startMs + 4 * MS_PER_HOUR;
  life.daily_activity.push({
    ...dated(seed, day, 'activity'),
    timestamp: text(calendar, fourMs),
    score: random.integer(50, 98),
    steps: of(random.integer(3_000, 16_000)),
    active_calories: of(random.integer(180, 900)),
    total_calories: of(random.integer(900, 1_000)) + 1_500,
    equivalent_walking_distance: of(random.integer(2_500, 14_000)),
    high_activity_time: of(random.integer(0, 1_800)),
    medium_activity_time: of(random.integer(600, 4_000)),
    low_activity_time: of(random.integer(6_000, 14_000)),
    sedentary_time: of(30_000),
    resting_time: 27_000,
    non_wear_time: 0,
    contributors: Object.fromEntries(ACTIVITY_CONTRIBUTORS.map((name) => [name, random.integer(40, 100)])),
  });
  if (share === 1) {
    life.daily_stress.push({
      ...dated(seed, day, 'stress'),
      stress_high: random.integer(0, 14_000),
      recovery_high: random.integer(0, 9_000),
      day_summary: random.chance(0.9) ? ['restored', 'normal', 'stressful'][random.integer(0, 2)] : null,
    });
    life.daily_resilience.push({
      ...dated(seed, day, 'resilience'),
      level: ['limited', 'adequate', 'solid', 'strong', 'exceptional'][random.integer(0, 4)],
      contributors: { sleep_recovery: rounded(random.between(20, 90), 1), stress: rounded(random.between(20, 90), 1) },
    });
  }
}

function addHeartRates({ life, random, nowMs, day }: LifeDay, wakeMs: number): void {
  for (let at = ceiled(wakeMs); at < Math.min(nowMs, day.endMs - 2 * MS_PER_HOUR); at += 4 * FIVE_MINUTES_MS) {
    life.heartrate.push({ timestamp: utcText(at), bpm: random.integer(58, 120), source: 'awake' });
  }
}

function addNap({ life, calendar, random, nowMs, seed, day }: LifeDay, at: number): void {
  if (!random.chance(0.2)) return;
  const startMs = roundedMs(at, PHASE_MS);
  const phases = madeUpPhases(random, random.integer(50, 140));
  if (startMs + phases.length * PHASE_MS > nowMs) return;
  const type = random.chance(0.5) ? 'late_nap' : 'sleep';
  const nap = sleepDocument({ calendar, random, startMs, phases });
  life.sleep.push({ id: uuid(seed, day.number, 'nap'), day: day.date, type, ...nap });
}

function addWorkout({ life, calendar, random, nowMs, seed, day }: LifeDay, at: number): void {
  if (!random.chance(0.6)) return;
  const startMs = roundedMs(at, MS_PER_MINUTE);
  const endMs = startMs + random.integer(25, 90) * MS_PER_MINUTE;
  if (endMs > nowMs) return;
  const activity = SPORTS[random.integer(0, SPORTS.length - 1)];
  // Some workouts have an offset of 0, whatever the user's zone.
  const written = (ms: number) => (random.chance(0.85) ? text(calendar, ms) : utcText(ms));
  life.workout.push({
    id: uuid(seed, day.number, 'workout'),
    day: day.date,
    activity,
    calories: rounded(random.between(90, 700), 1),
    distance: activity === 'yoga' || activity === 'strengthTraining' ? null : rounded(random.between(2_000, 20_000), 1),
    start_datetime: written(startMs),
    end_datetime: written(endMs),
    intensity: ['easy', 'moderate', 'hard'][random.integer(0, 2)],
    label: null,
    source: ['manual', 'autodetected', 'confirmed'][random.integer(0, 2)],
  });
}

interface MadeUpSleep {
  calendar: Calendar;
  random: Random;
  startMs: number;
  /** One character per 30 seconds. */
  phases: string;
}

function sleepDocument({ calendar, random, startMs, phases }: MadeUpSleep) {
  const endMs = startMs + phases.length * PHASE_MS;
  const seconds = (phase: string) => 30 * [...phases].filter((one) => one === phase).length;
  const series = (low: number, high: number) => ({
    interval: 300,
    items: Array.from({ length: Math.floor((endMs - startMs) / FIVE_MINUTES_MS) }, (_, n) =>
      n === 0 || random.chance(0.05) ? null : random.integer(low, high),
    ),
    timestamp: text(calendar, startMs),
  });
  const asleep = seconds('1') + seconds('2') + seconds('3');
  const inBed = phases.length * 30;
  return {
    period: 0,
    bedtime_start: text(calendar, startMs),
    bedtime_end: text(calendar, endMs),
    time_in_bed: inBed,
    total_sleep_duration: random.chance(0.9) ? asleep : null,
    awake_time: seconds('4'),
    deep_sleep_duration: seconds('1'),
    light_sleep_duration: seconds('2'),
    rem_sleep_duration: seconds('3'),
    efficiency: Math.max(1, Math.round((100 * asleep) / inBed)),
    average_breath: rounded(random.bell(14.5, 1), 3),
    lowest_heart_rate: random.chance(0.95) ? random.integer(44, 56) : 255,
    heart_rate: series(46, 68),
    hrv: series(20, 110),
    // The string may extend past the end of the night.
    sleep_phase_30_sec: random.chance(0.9) ? phases : `${phases}44`,
    low_battery_alert: false,
  };
}

/** The heart rate collection contains the ring's nightly readings too. */
function nightHeartRates({ heart_rate: { items, timestamp } }: ReturnType<typeof sleepDocument>): OuraHeartRate[] {
  const startMs = Date.parse(timestamp);
  return items.flatMap((bpm, n) =>
    bpm === null ? [] : [{ timestamp: utcText(startMs + n * FIVE_MINUTES_MS), bpm, source: 'sleep' as const }],
  );
}

/** Generates the phases of a night in order. Each phase lasts some minutes. */
function madeUpPhases(random: Random, length: number): string {
  let phases = '4'.repeat(random.integer(4, 20));
  while (phases.length < length) {
    const phase = ['2', '1', '2', '3', '4'][random.integer(0, 4)]!;
    phases += phase.repeat(phase === '4' ? random.integer(2, 12) : random.integer(16, 80));
  }
  return phases.slice(0, length);
}

function dated(seed: number, { number, date }: LocalDay, what: string): OuraDocument {
  return { id: uuid(seed, number, what), day: date };
}

/** Returns a deterministic id for a key, in the format of version 4. */
function uuid(...key: (number | string)[]): string {
  const hex = createHash('sha256')
    .update(`oura|${key.join('|')}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the local time with its offset. */
function text(calendar: Calendar, ms: number): string {
  const offset = calendar.offsetAt(ms);
  return `${new Date(ms + offset * MS_PER_MINUTE).toISOString().slice(0, 19)}${formatOffset(offset)}`;
}

function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function roundedMs(ms: number, unit: number): number {
  return Math.round(ms / unit) * unit;
}

function ceiled(ms: number): number {
  return Math.ceil(ms / FIVE_MINUTES_MS) * FIVE_MINUTES_MS;
}
