import { MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { Calendar, LocalDay } from '../calendar.js';
import { Random } from '../random.js';
import type { SuuntoWorkout } from './wire-types.js';

/** An activity type with its usual speed in m/s, and its cadence: steps of one leg or pedal revolutions per minute. */
const SPORTS = [
  { activityId: 1, speed: 3.1, cadence: 84, isOutdoors: true, hasPower: true },
  { activityId: 22, speed: 2.5, cadence: 80, isOutdoors: true, hasPower: false },
  { activityId: 2, speed: 7.4, cadence: 82, isOutdoors: true, hasPower: true },
  { activityId: 11, speed: 1.2, cadence: 55, isOutdoors: true, hasPower: false },
  { activityId: 23, speed: 0, cadence: 0, isOutdoors: false, hasPower: false },
  { activityId: 51, speed: 0, cadence: 0, isOutdoors: false, hasPower: false },
] as const;

/** Returns the finished workouts of a day. */
export function madeUpWorkouts(calendar: Calendar, day: LocalDay, nowMs: number, seed: number): SuuntoWorkout[] {
  const random = new Random(seed, day.number, 'suunto workouts');
  const count = random.chance(0.7) ? (random.chance(0.25) ? 2 : 1) : 0;
  return Array.from({ length: count }, (_, nth) => madeUp(calendar, day, random, { seed, nth })).filter(
    ({ startTime, totalTime }) => startTime + (totalTime + 600) * MS_PER_SECOND <= nowMs,
  );
}

function madeUp(
  calendar: Calendar,
  day: LocalDay,
  random: Random,
  { seed, nth }: { seed: number; nth: number },
): SuuntoWorkout {
  const { activityId, speed, cadence, isOutdoors, hasPower } = SPORTS[random.integer(0, SPORTS.length - 1)]!;
  const startTime = day.startMs + (9 + nth * 8) * MS_PER_HOUR + random.integer(0, 50) * MS_PER_MINUTE;
  const totalTime = random.integer(20, 90) * 60 + 0.4;
  const paused = random.chance(0.3) ? random.integer(10, 500) : 0;
  const meters = Math.round(totalTime * speed);
  const low = random.integer(200, 900);
  const number = seed * 1_000_000 + day.number * 10 + nth;
  const hasHeart = random.chance(0.9);
  const isFresh = random.chance(0.1);
  const gear = { manufacturer: 'Suunto', name: 'Wellington', displayName: 'Suunto Race S', swVersion: '2.41.30' };
  return {
    workoutKey: number.toString(16).padStart(24, '0'),
    activityId,
    startTime,
    // A workout that was just uploaded has no end yet.
    ...(!isFresh && { stopTime: startTime + (totalTime + paused) * MS_PER_SECOND }),
    totalTime,
    totalDistance: meters,
    totalAscent: isOutdoors ? random.integer(0, 400) : 0,
    totalDescent: isOutdoors ? random.integer(0, 400) : 0,
    minAltitude: isOutdoors ? low : 0,
    maxAltitude: isOutdoors ? low + random.integer(50, 3_000) : 0,
    ...(speed > 0 && { avgSpeed: speed, maxSpeed: speed * 1.6 }),
    energyConsumption: Math.round((totalTime / 60) * random.between(6, 12)),
    stepCount: activityId === 2 ? 0 : Math.round((totalTime / 60) * cadence * 2),
    recoveryTime: random.integer(3_600, 90_000),
    timeOffsetInMinutes: calendar.offsetAt(startTime),
    ...(hasHeart && {
      // `max` is the user's setting.
      hrdata: { workoutMaxHR: 171, workoutAvgHR: 146, userMaxHR: 195, avg: 146, hrmax: 171, max: 195, min: 92 },
    }),
    ...(cadence > 0 && { cadence: { max: cadence + 10, avg: cadence } }),
    ...(hasPower && { avgPower: random.integer(180, 260), maxPower: random.integer(300, 500) }),
    tss: { trainingStressScore: 71.2, calculationMethod: 'HR' },
    ...(random.chance(0.5) ? { gear } : { extensions: [{ type: 'SummaryExtension', gear }] }),
    isManuallyAdded: false,
  };
}
