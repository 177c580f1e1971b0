import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { Calendar } from '../calendar.js';
import { dayOf, type PolarAccount } from './account.js';
import type { TrueNightSeconds } from './forms.js';
import type { PolarActivity, PolarDocument, PolarExercise, PolarTest } from './wire-types.js';

/** Values that a client must read for a night. */
interface TruePolarNight {
  date: string;
  startMs: number;
  endMs: number;
  seconds: TrueNightSeconds;
  score: number;
  heartRates: { atMs: number; value: number }[];
}

interface TruePolarDay {
  date: string;
  steps: number;
  activeKcal: number;
  basalKcal: number;
  meters: number;
}

/** All data of an account, oldest first. */
export interface PolarTruth {
  nights: TruePolarNight[];
  days: TruePolarDay[];
  exercises: { id: string; sport: string; startMs: number; kcal: number; meters: number | undefined }[];
  heartRates: { atMs: number; value: number }[];
  variability: { atMs: number; value: number }[];
  /** Nightly recharge values, by the date of the night. */
  recharges: { date: string; heartRate: number; variability: number }[];
  saturations: { atMs: number; value: number }[];
  scores: { category: 'recovery' | 'strain'; date: string; value: number }[];
}

/**
 * Computes the expected data from the simulator's internal state, such as the user's time zone, which a client cannot
 * read.
 */
export function truthOf({ items, facts, nights }: PolarAccount): PolarTruth {
  const calendar = new Calendar(facts.timeZone);
  const instant = (text: string) => instantOf(calendar, text);
  const number = (item: PolarDocument, member: string) => item[member] as number;
  const byDate = (name: 'sleep' | 'recharges' | 'heartRates' | 'cardioLoads') =>
    [...items[name].values()].sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1));
  return {
    nights: byDate('sleep').map((night) => {
      const startMs = Date.parse(String(night.sleep_start_time));
      return {
        date: String(night.date),
        startMs,
        endMs: Date.parse(String(night.sleep_end_time)),
        seconds: nights.get(String(night.date)) ?? sumsOf(night),
        score: number(night, 'sleep_score'),
        heartRates: ofNight(night, 'heart_rate_samples', instant),
      };
    }),
    days: [...items.activities.values()].sort(byDay).map((day) => ({
      date: dayOf(day),
      steps: number(day, 'steps'),
      activeKcal: number(day, 'active_calories'),
      basalKcal: number(day, 'calories') - number(day, 'active_calories'),
      meters: number(day, 'distance_from_steps'),
    })),
    exercises: ([...items.exercises.values()] as PolarExercise[])
      .map((exercise) => ({
        id: exercise.id,
        sport: String(exercise.detailed_sport_info),
        startMs: instant(exercise.start_time),
        kcal: number(exercise, 'calories'),
        meters: exercise.distance as number | undefined,
      }))
      .sort((a, b) => a.startMs - b.startMs),
    heartRates: byDate('heartRates').flatMap(({ date, heart_rate_samples: samples }) =>
      (samples as { heart_rate: number; sample_time: string }[]).map(({ heart_rate: value, sample_time: time }) => ({
        atMs: instant(`${date}T${time}`),
        value,
      })),
    ),
    variability: byDate('recharges').flatMap((recharge) =>
      recharge.hrv_samples ? ofNight(recharge, 'hrv_samples', instant) : [],
    ),
    recharges: byDate('recharges').map((recharge) => ({
      date: String(recharge.date),
      heartRate: number(recharge, 'heart_rate_avg'),
      variability: number(recharge, 'heart_rate_variability_avg'),
    })),
    saturations: ([...items.spo2.values()] as PolarTest[])
      .filter(({ test_status: status }) => status === 'SPO2_TEST_PASSED')
      .map((test) => ({ atMs: test.test_time * MS_PER_SECOND, value: number(test, 'blood_oxygen_percent') })),
    scores: [
      ...byDate('recharges').map((one) => ({
        category: 'recovery' as const,
        date: String(one.date),
        value: number(one, 'nightly_recharge_status'),
      })),
      ...byDate('cardioLoads')
        .filter(({ cardio_load: load }) => Number(load) >= 0)
        .map((one) => ({ category: 'strain' as const, date: String(one.date), value: number(one, 'cardio_load') })),
    ],
  };
}

/** Returns the seconds of a night that a test stored. */
function sumsOf(night: PolarDocument): TrueNightSeconds {
  const number = (member: string) => (typeof night[member] === 'number' ? night[member] : undefined);
  const [light, deep, rem] = ['light_sleep', 'deep_sleep', 'rem_sleep'].map(number);
  const known = light !== undefined && deep !== undefined && rem !== undefined;
  const asleep = known ? light + deep + rem + (number('unrecognized_sleep_stage') ?? 0) : undefined;
  return { asleep, awake: number('total_interruption_duration') ?? 0, light, deep, rem };
}

function byDay(a: PolarDocument, b: PolarDocument): number {
  return dayOf(a as PolarActivity) < dayOf(b as PolarActivity) ? -1 : 1;
}

/** Places a night's readings by time of day. Afternoon and evening times belong to the day before its date. */
function ofNight(night: PolarDocument, member: string, instant: (text: string) => number) {
  const before = new Date(Date.parse(String(night.date)) - MS_PER_DAY).toISOString().slice(0, 10);
  return Object.entries(night[member] as Record<string, number>)
    .map(([time, value]) => ({ atMs: instant(`${time >= '12:00' ? before : night.date}T${time}:00`), value }))
    .sort((a, b) => a.atMs - b.atMs);
}

/** Returns the instant of a local time in the user's zone. */
function instantOf(calendar: Calendar, text: string): number {
  const utc = Date.parse(`${text}Z`);
  const guess = utc - calendar.offsetAt(utc) * MS_PER_MINUTE;
  return utc - calendar.offsetAt(guess) * MS_PER_MINUTE;
}
