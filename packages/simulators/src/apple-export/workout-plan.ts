import { MS_PER_MINUTE } from '@healthd/model';
import type { LocalDay } from '../calendar.js';
import { Random } from '../random.js';
import type { Intervals } from './density.js';

/** One planned workout with its exported figures. */
export interface WorkoutPlan {
  /** HealthKit's name without prefix. */
  activity: string;
  /** Expected unified type. */
  type: string;
  startMs: number;
  endMs: number;
  /** A pause in the middle; active time excludes it. */
  pause?: { startMs: number; endMs: number };
  activeMinutes: number;
  activeKcal: number;
  basalKcal: number;
  distanceKm?: number;
  distanceIdentifier?: string;
  elevationCm?: number;
  steps: number;
  indoor: boolean;
  phoneCarried: boolean;
  heartRates: { atMs: number; bpm: number }[];
}

interface Sport {
  activity: string;
  type: string;
  minutes: [number, number];
  kcalPerMinute: number;
  kmPerHour?: number;
  distanceIdentifier?: string;
  climbs?: boolean;
  indoor?: boolean;
  stepsPerMinute: number;
  heartRate: number;
  phoneCarried?: boolean;
}

const SPORTS: readonly Sport[] = [
  {
    activity: 'Running',
    type: 'running',
    minutes: [28, 62],
    kcalPerMinute: 10.4,
    kmPerHour: 10.2,
    distanceIdentifier: 'DistanceWalkingRunning',
    climbs: true,
    stepsPerMinute: 164,
    heartRate: 152,
  },
  {
    activity: 'Cycling',
    type: 'cycling',
    minutes: [45, 130],
    kcalPerMinute: 8.1,
    kmPerHour: 23.5,
    distanceIdentifier: 'DistanceCycling',
    climbs: true,
    stepsPerMinute: 0,
    heartRate: 138,
    phoneCarried: true,
  },
  {
    activity: 'TraditionalStrengthTraining',
    type: 'strength_training',
    minutes: [35, 60],
    kcalPerMinute: 5.2,
    indoor: true,
    stepsPerMinute: 12,
    heartRate: 112,
  },
  {
    activity: 'Walking',
    type: 'walking',
    minutes: [25, 55],
    kcalPerMinute: 4.3,
    kmPerHour: 5.4,
    distanceIdentifier: 'DistanceWalkingRunning',
    stepsPerMinute: 112,
    heartRate: 104,
    phoneCarried: true,
  },
  {
    activity: 'Yoga',
    type: 'yoga',
    minutes: [20, 50],
    kcalPerMinute: 2.6,
    indoor: true,
    stepsPerMinute: 0,
    heartRate: 88,
  },
];

/** Plans at most one workout in the morning and one in the late afternoon. */
export function planWorkouts(seed: number, day: LocalDay, intervals: Intervals): WorkoutPlan[] {
  const random = new Random(seed, day.number, 'workouts');
  const plans: WorkoutPlan[] = [];
  if (random.chance(0.46))
    plans.push(planWorkout(random, day.startMs + random.integer(990, 1110) * MS_PER_MINUTE, intervals));
  if (random.chance(0.16))
    plans.unshift(planWorkout(random, day.startMs + random.integer(570, 660) * MS_PER_MINUTE, intervals));
  return plans;
}

function planWorkout(random: Random, startMs: number, intervals: Intervals): WorkoutPlan {
  const sport = SPORTS[random.integer(0, SPORTS.length - 1)]!;
  const activeMinutes = random.integer(...sport.minutes);
  const pauseMinutes = random.chance(0.3) ? random.integer(1, 4) : 0;
  const endMs = startMs + (activeMinutes + pauseMinutes) * MS_PER_MINUTE;
  const pauseStart = startMs + Math.floor(activeMinutes / 2) * MS_PER_MINUTE;
  const effort = random.between(0.9, 1.1);
  const distanceKm = sport.kmPerHour === undefined ? undefined : (sport.kmPerHour * effort * activeMinutes) / 60;
  return {
    activity: sport.activity,
    type: sport.type,
    startMs,
    endMs,
    pause: pauseMinutes > 0 ? { startMs: pauseStart, endMs: pauseStart + pauseMinutes * MS_PER_MINUTE } : undefined,
    activeMinutes,
    activeKcal: rounded(sport.kcalPerMinute * effort * activeMinutes, 2),
    basalKcal: rounded(1.12 * activeMinutes, 2),
    distanceKm: distanceKm === undefined ? undefined : rounded(distanceKm, 4),
    distanceIdentifier: sport.distanceIdentifier,
    elevationCm: sport.climbs ? random.integer(1200, 32_000) : undefined,
    steps: Math.round(sport.stepsPerMinute * activeMinutes),
    indoor: sport.indoor ?? false,
    phoneCarried: sport.phoneCarried ?? false,
    heartRates: heartRates(random, startMs, endMs, sport.heartRate * effort, intervals),
  };
}

function heartRates(random: Random, startMs: number, endMs: number, level: number, intervals: Intervals) {
  const rates: WorkoutPlan['heartRates'] = [];
  let drift = 0;
  for (let atMs = startMs; atMs < endMs; atMs += intervals.workoutHeartRateSeconds * 1000) {
    const warm = Math.min(1, (atMs - startMs) / (6 * MS_PER_MINUTE));
    drift = drift * 0.93 + random.bell(0, 2.2);
    rates.push({ atMs, bpm: Math.round(level * (0.74 + 0.26 * warm) + drift) });
  }
  return rates;
}

/** Rounds to the file's number of decimals. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
