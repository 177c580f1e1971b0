import { createHash } from 'node:crypto';
import { formatOffset, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import type { WhoopForms } from './forms.js';
import type { RecordInput, ScoreState, WhoopSleep } from './wire-types.js';

/** Amount of generated data. */
export interface HistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

const SPORTS = ['running', 'cycling', 'weightlifting_msk', 'hiking-rucking', 'sauna', 'yoga'] as const;

/**
 * Generates data until now: a night before each day, naps, workouts, the current cycle without an end, and an unscored
 * night. The same seed and end yield the same records.
 */
export function madeUpHistory(
  timeZone: string,
  nowMs: number,
  { seed = 1, days = 30 }: HistoryOptions,
  forms: WhoopForms,
): RecordInput {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  const life: Required<RecordInput> = { cycles: [], sleeps: [], recoveries: [], workouts: [] };
  let bedtimeMs = bedtimeOf(calendar, today, -days, seed);
  for (let back = days - 1; back >= 0; back--) {
    const nextMs = bedtimeOf(calendar, today, -back, seed);
    addDay({ life, calendar, nowMs, seed, forms, day: calendar.day(today, -back).number, bedtimeMs, nextMs });
    bedtimeMs = nextMs;
  }
  return life;
}

interface LifeDay {
  life: Required<RecordInput>;
  calendar: Calendar;
  nowMs: number;
  seed: number;
  forms: WhoopForms;
  /** Days since 1970 of the waking date. */
  day: number;
  bedtimeMs: number;
  nextMs: number;
}

/** Returns the bedtime around the end of a date. */
function bedtimeOf(calendar: Calendar, today: string, plusDays: number, seed: number): number {
  const { endMs, number } = calendar.day(today, plusDays);
  return roundMinute(endMs + new Random(seed, number, 'bed').bell(-50, 45) * MS_PER_MINUTE);
}

function addDay({ life, calendar, nowMs, seed, forms, day, bedtimeMs, nextMs }: LifeDay): void {
  const random = new Random(seed, day, 'day');
  const wakeMs = roundMinute(bedtimeMs + random.bell(7.6, 0.9) * MS_PER_HOUR);
  if (wakeMs > nowMs) return;
  const cycleId = seed * 100_000_000 + day;
  const isOpen = nextMs > nowMs;
  const at = (ms: number) => ({ timezone_offset: offsetText(calendar, ms) });
  const scored = (settledMs: number): ScoreState => (settledMs > nowMs ? 'PENDING_SCORE' : 'SCORED');
  const nightState = scored(wakeMs + 20 * MS_PER_MINUTE);
  life.cycles.push({
    id: cycleId,
    start: iso(bedtimeMs),
    ...(!isOpen && { end: iso(nextMs) }),
    ...at(bedtimeMs),
    score_state: 'SCORED',
    score: {
      strain: round(random.between(4, 18), 2),
      kilojoule: round(random.between(7_000, 13_000), 1),
      average_heart_rate: random.integer(58, 74),
      max_heart_rate: random.integer(130, 185),
    },
  });
  const sleepId = uuid(seed, day, 'night');
  life.sleeps.push({
    id: sleepId,
    cycle_id: cycleId,
    start: iso(bedtimeMs),
    end: iso(wakeMs),
    nap: false,
    ...at(wakeMs),
    score_state: nightState,
    score:
      nightState === 'SCORED'
        ? inForm(sleepScore(random, wakeMs - bedtimeMs), forms, new Random(seed, day, 'form'))
        : null,
  });
  life.recoveries.push({
    cycle_id: cycleId,
    sleep_id: sleepId,
    score_state: nightState,
    created_at: iso(wakeMs + 20 * MS_PER_MINUTE),
    score: nightState === 'SCORED' ? recoveryScore(random) : null,
  });
  if (random.chance(0.2)) addNap(life, calendar, { seed, day, cycleId, startMs: wakeMs + 6 * MS_PER_HOUR, nowMs });
  if (random.chance(0.6)) addWorkout(life, calendar, { seed, day, startMs: wakeMs + 9 * MS_PER_HOUR, nowMs });
}

function sleepScore(random: Random, spanMs: number) {
  const awake = Math.round((spanMs * random.between(0.04, 0.1)) / 1000) * 1000;
  const deep = Math.round((spanMs * random.between(0.14, 0.22)) / 1000) * 1000;
  const rem = Math.round((spanMs * random.between(0.18, 0.26)) / 1000) * 1000;
  return {
    stage_summary: {
      total_in_bed_time_milli: spanMs,
      total_awake_time_milli: awake,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: spanMs - awake - deep - rem,
      total_slow_wave_sleep_time_milli: deep,
      total_rem_sleep_time_milli: rem,
      sleep_cycle_count: random.integer(3, 6),
      disturbance_count: random.integer(2, 14),
    },
    sleep_needed: {
      baseline_milli: 27_600_000,
      need_from_sleep_debt_milli: random.integer(0, 2_000_000),
      need_from_recent_strain_milli: random.integer(0, 900_000),
      need_from_recent_nap_milli: 0,
    },
    respiratory_rate: round(random.bell(15, 1), 2),
    sleep_performance_percentage: random.integer(60, 99),
    sleep_consistency_percentage: random.integer(50, 95),
    sleep_efficiency_percentage: round((100 * (spanMs - awake)) / spanMs, 2),
  };
}

function inForm(
  score: ReturnType<typeof sleepScore>,
  forms: WhoopForms,
  random: Random,
): NonNullable<WhoopSleep['score']> {
  const { total_in_bed_time_milli: inBed, ...sums } = score.stage_summary;
  const longer = forms.inBed === 'longer' ? random.integer(3, 30) * MS_PER_MINUTE : 0;
  const isMissing = forms.stages === 'missing_sum' && random.chance(0.3);
  return {
    ...score,
    stage_summary: {
      ...sums,
      total_in_bed_time_milli: inBed + longer,
      ...(isMissing && { total_rem_sleep_time_milli: null }),
    },
  };
}

function recoveryScore(random: Random) {
  return {
    user_calibrating: false,
    recovery_score: random.integer(20, 98),
    resting_heart_rate: random.integer(46, 60),
    hrv_rmssd_milli: round(random.bell(62, 18), 4),
    // Older straps measure neither value.
    ...(random.chance(0.9) && { spo2_percentage: round(random.bell(96.5, 0.8), 2) }),
    ...(random.chance(0.9) && { skin_temp_celsius: round(random.bell(33.8, 0.6), 2) }),
  };
}

interface Moment {
  seed: number;
  day: number;
  startMs: number;
  nowMs: number;
}

function addNap(life: Required<RecordInput>, calendar: Calendar, nap: Moment & { cycleId: number }): void {
  const random = new Random(nap.seed, nap.day, 'nap');
  const endMs = nap.startMs + random.integer(20, 80) * MS_PER_MINUTE;
  if (endMs > nap.nowMs) return;
  life.sleeps.push({
    id: uuid(nap.seed, nap.day, 'nap'),
    cycle_id: nap.cycleId,
    start: iso(nap.startMs),
    end: iso(endMs),
    nap: true,
    timezone_offset: offsetText(calendar, endMs),
    score: sleepScore(random, endMs - nap.startMs),
  });
}

function addWorkout(life: Required<RecordInput>, calendar: Calendar, { seed, day, startMs, nowMs }: Moment): void {
  const random = new Random(seed, day, 'workout');
  const endMs = startMs + random.integer(25, 90) * MS_PER_MINUTE;
  if (endMs > nowMs) return;
  const sport = SPORTS[random.integer(0, SPORTS.length - 1)]!;
  const isOutdoors = sport === 'running' || sport === 'cycling' || sport === 'hiking-rucking';
  const state: ScoreState = random.chance(0.1) ? 'UNSCORABLE' : 'SCORED';
  const milli = (share: number) => Math.round((endMs - startMs) * share);
  life.workouts.push({
    id: uuid(seed, day, 'workout'),
    start: iso(startMs),
    end: iso(endMs),
    sport_name: sport,
    score_state: state,
    timezone_offset: offsetText(calendar, startMs),
    ...(state === 'SCORED' && {
      score: {
        strain: round(random.between(3, 16), 2),
        average_heart_rate: random.integer(95, 160),
        max_heart_rate: random.integer(150, 190),
        kilojoule: round(random.between(700, 3_500), 1),
        percent_recorded: 100,
        ...(isOutdoors && {
          distance_meter: round(random.between(3_000, 30_000), 1),
          altitude_gain_meter: round(random.between(5, 300), 1),
          altitude_change_meter: round(random.between(-5, 5), 1),
        }),
        zone_durations: {
          zone_zero_milli: milli(0.1),
          zone_one_milli: milli(0.2),
          zone_two_milli: milli(0.3),
          zone_three_milli: milli(0.2),
          zone_four_milli: milli(0.15),
          zone_five_milli: milli(0.05),
        },
      },
    }),
  });
}

/** Returns a deterministic id for a key, in the format of version 4. */
function uuid(...key: (number | string)[]): string {
  const hex = createHash('sha256').update(key.join('|')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function offsetText(calendar: Calendar, ms: number): string {
  const minutes = calendar.offsetAt(ms);
  return minutes === 0 ? 'Z' : formatOffset(minutes);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function roundMinute(ms: number): number {
  return Math.round(ms / MS_PER_MINUTE) * MS_PER_MINUTE;
}
