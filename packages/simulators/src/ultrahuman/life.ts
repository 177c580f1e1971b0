import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { Calendar, type LocalDay } from '../calendar.js';
import { Random } from '../random.js';

/** Amount of generated data. */
export interface UltrahumanHistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

/** One reading. A missing measurement is 0 or null. */
export interface Reading {
  /** Seconds since 1970. */
  timestamp: number;
  value: number | null;
}

export type SleepStageName = 'deep' | 'light' | 'rem' | 'awake';

/** A main sleep; times in seconds since 1970. */
export interface RingSleep {
  start: number;
  end: number;
  stages: { start: number; end: number; type: SleepStageName }[];
  efficiency: number;
  score: number;
  temperatureDeviation: number;
  /** Mean variability (RMSSD) in milliseconds. */
  variability?: number;
  /** Mean temperature of the skin in °C. */
  temperature?: number;
}

/** The vendor's data of one local day, independent of its format. */
export interface RingDay {
  date: string;
  /** Local midnight, in seconds since 1970. */
  dayStart: number;
  heartRate: Reading[];
  variability: Reading[];
  temperature: Reading[];
  saturation: Reading[];
  steps: Reading[];
  glucose: Reading[];
  activeMinutes: number;
  vo2Max: number;
  recovery?: number;
  movement: number;
  restingHeartRate?: number;
  sleep?: RingSleep;
}

const FIVE_MINUTES_MS = 5 * MS_PER_MINUTE;
const STAGES: readonly SleepStageName[] = ['light', 'deep', 'light', 'rem', 'awake'];

/** Generates data until now; the current day still grows. The same seed and end yield the same days. */
export function madeUpDays(
  timeZone: string,
  nowMs: number,
  { seed = 1, days = 30 }: UltrahumanHistoryOptions,
): RingDay[] {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  return Array.from({ length: days }, (_, back) => madeUpDay(calendar.day(today, back + 1 - days), nowMs, seed));
}

function madeUpDay({ date, number, startMs, endMs }: LocalDay, nowMs: number, seed: number): RingDay {
  const random = new Random(seed, number, 'ultrahuman');
  const sleep = madeUpSleep(random, startMs);
  const isAwake = sleep.end * MS_PER_SECOND <= nowMs;
  const until = Math.min(nowMs, endMs);
  const readings = (everyMs: number, value: () => number): Reading[] => {
    const found: Reading[] = [];
    for (let at = startMs; at < until; at += everyMs) {
      // The ring reports a missing measurement as 0 or null.
      const lost = random.chance(0.04) ? (random.chance(0.5) ? 0 : null) : undefined;
      found.push({ timestamp: at / MS_PER_SECOND, value: lost === undefined ? value() : lost });
    }
    return found;
  };
  const share = (until - startMs) / MS_PER_DAY;
  return {
    date,
    dayStart: startMs / MS_PER_SECOND,
    heartRate: readings(2 * FIVE_MINUTES_MS, () => random.integer(48, 110)),
    variability: readings(6 * FIVE_MINUTES_MS, () => random.integer(20, 110)),
    temperature: readings(12 * FIVE_MINUTES_MS, () => rounded(random.bell(33.6, 1), 2)),
    saturation: readings(12 * FIVE_MINUTES_MS, () => random.integer(93, 99)),
    steps: readings(12 * FIVE_MINUTES_MS, () => random.integer(0, 1_200)),
    glucose: readings(12 * FIVE_MINUTES_MS, () => random.integer(75, 150)),
    activeMinutes: Math.round(random.integer(20, 180) * share),
    vo2Max: rounded(random.bell(44, 2), 1),
    movement: random.integer(20, 100),
    ...(isAwake && { sleep, recovery: random.integer(30, 98), restingHeartRate: random.integer(46, 60) }),
  };
}

/** Generates a sleep that starts around midnight. */
function madeUpSleep(random: Random, midnightMs: number): RingSleep {
  const start = roundedMinute(midnightMs + random.bell(-20, 60) * MS_PER_MINUTE);
  const lengthMs = roundedMinute(random.bell(7.3, 0.8) * MS_PER_HOUR);
  const stages: RingSleep['stages'] = [];
  for (let at = start, n = 0; at < start + lengthMs; n++) {
    const end = Math.min(start + lengthMs, at + random.integer(8, 40) * MS_PER_MINUTE);
    const type = STAGES[n % STAGES.length]!;
    stages.push({ start: at / MS_PER_SECOND, end: end / MS_PER_SECOND, type });
    at = end;
  }
  return {
    start: start / MS_PER_SECOND,
    end: (start + lengthMs) / MS_PER_SECOND,
    stages,
    efficiency: random.integer(80, 97),
    score: random.integer(55, 98),
    temperatureDeviation: rounded(random.bell(0, 0.3), 2),
    variability: random.integer(20, 110),
    temperature: rounded(random.bell(34.6, 0.6), 2),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function roundedMinute(ms: number): number {
  return Math.round(ms / MS_PER_MINUTE) * MS_PER_MINUTE;
}
