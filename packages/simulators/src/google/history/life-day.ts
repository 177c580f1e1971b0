import { MS_PER_MINUTE } from '@healthd/model';
import type { LocalDay } from '../../calendar.js';
import { Random } from '../../random.js';

type StageType = 'AWAKE' | 'LIGHT' | 'DEEP' | 'REM';

interface Stage {
  type: StageType;
  startMs: number;
  endMs: number;
}

/** The night that ends on a day. Its stages have no gaps. */
export interface Night {
  startMs: number;
  endMs: number;
  stages: Stage[];
}

/** A walk of a few minutes. */
interface Bout {
  startMs: number;
  minutes: number;
  stepsPerMinute: number;
  trackerWorn: boolean;
  phoneCarried: boolean;
}

export interface Workout {
  /** The vendor's type. */
  type: 'RUNNING' | 'WALKING' | 'BIKING' | 'STRENGTH_TRAINING' | 'YOGA';
  displayName: string;
  startMs: number;
  endMs: number;
  pause?: { startMs: number; endMs: number };
  stepsPerMinute: number;
  kcalPerMinute: number;
  /** 0 if the workout has no distance. */
  metersPerMinute: number;
  heartRate: number;
  climbs: boolean;
  /** True if a phone app also records it. */
  recordedTwice: boolean;
}

/** All events of one local day. The same seed always produces the same day. */
export interface LifeDay {
  seed: number;
  day: LocalDay;
  night: Night;
  bedtimeMs: number;
  nap?: { startMs: number; endMs: number };
  bouts: Bout[];
  workout?: Workout;
  restingHeartRate: number;
  basalKcalPerMinute: number;
}

/**
 * @param nextDay the following day, whose night starts at this day's bedtime
 */
export function lifeDay(seed: number, day: LocalDay, nextDay: LocalDay): LifeDay {
  const random = new Random(seed, day.number, 'life');
  const night = nightBefore(seed, day);
  const bedtimeMs = nightBefore(seed, nextDay).startMs;
  const workout = random.chance(0.45) ? planWorkout(seed, day) : undefined;
  const napStart = day.startMs + random.integer(13 * 60, 15 * 60) * MS_PER_MINUTE;
  const nap = random.chance(0.12)
    ? { startMs: napStart, endMs: napStart + random.integer(22, 55) * MS_PER_MINUTE }
    : undefined;
  const season = Math.sin((2 * Math.PI * day.number) / 365.25);
  return {
    seed,
    day,
    night,
    bedtimeMs,
    nap,
    workout,
    bouts: planBouts(seed, day, [night.endMs, bedtimeMs - 45 * MS_PER_MINUTE], [workout, nap]),
    restingHeartRate: Math.round(56 + (seed % 7) + 2 * season + random.bell(0, 1.5)),
    basalKcalPerMinute: 1.02 + (seed % 9) * 0.02,
  };
}

function nightBefore(seed: number, day: LocalDay): Night {
  const random = new Random(seed, day.number, 'night');
  const startMs = day.startMs + Math.round(random.bell(-45, 35)) * MS_PER_MINUTE;
  const requestedMs = random.bell(450, 35) * MS_PER_MINUTE;
  const stages: Stage[] = [];
  let at = startMs;
  const add = (type: StageType, minutes: number) => {
    const endMs = at + Math.max(1, Math.round(minutes)) * MS_PER_MINUTE;
    stages.push({ type, startMs: at, endMs });
    at = endMs;
  };
  add('AWAKE', random.between(3, 12));
  for (let cycle = 0; at - startMs < requestedMs; cycle++) {
    add('LIGHT', random.bell(30, 9));
    if (cycle < 3) add('DEEP', random.bell(26 - 6 * cycle, 5));
    add('LIGHT', random.bell(16, 6));
    add('REM', random.bell(12 + 5 * cycle, 4));
    if (random.chance(0.5)) add('AWAKE', random.bell(4, 2));
  }
  add('LIGHT', random.bell(9, 3));
  return { startMs, endMs: at, stages };
}

type Sport = Pick<
  Workout,
  'type' | 'displayName' | 'stepsPerMinute' | 'kcalPerMinute' | 'metersPerMinute' | 'heartRate' | 'climbs'
>;

const SPORTS: readonly Sport[] = [
  ['RUNNING', 'Run', 164, 10.4, 168, 150, true],
  ['WALKING', 'Walk', 112, 4.3, 89, 104, true],
  ['BIKING', 'Bike', 0, 8.1, 390, 137, true],
  ['STRENGTH_TRAINING', 'Weights', 8, 5.2, 0, 112, false],
  ['YOGA', 'Yoga', 0, 2.6, 0, 88, false],
].map(([type, displayName, stepsPerMinute, kcalPerMinute, metersPerMinute, heartRate, climbs]) => ({
  type: type as Workout['type'],
  displayName: String(displayName),
  stepsPerMinute: Number(stepsPerMinute),
  kcalPerMinute: Number(kcalPerMinute),
  metersPerMinute: Number(metersPerMinute),
  heartRate: Number(heartRate),
  climbs: climbs === true,
}));

function planWorkout(seed: number, day: LocalDay): Workout {
  const random = new Random(seed, day.number, 'workout');
  const sport = SPORTS[random.integer(0, SPORTS.length - 1)]!;
  const startMs = day.startMs + random.integer(990, 1110) * MS_PER_MINUTE;
  const minutes = random.integer(24, 70);
  const pauseMs = startMs + Math.floor(minutes / 2) * MS_PER_MINUTE;
  const pause = random.chance(0.4)
    ? { startMs: pauseMs, endMs: pauseMs + random.integer(1, 4) * MS_PER_MINUTE }
    : undefined;
  return { ...sport, startMs, endMs: startMs + minutes * MS_PER_MINUTE, pause, recordedTwice: random.chance(0.3) };
}

function planBouts(
  seed: number,
  day: LocalDay,
  [fromMs, toMs]: [number, number],
  busy: readonly ({ startMs: number; endMs: number } | undefined)[],
): Bout[] {
  const random = new Random(seed, day.number, 'bouts');
  const bouts: Bout[] = [];
  let at = Math.ceil(fromMs / MS_PER_MINUTE) * MS_PER_MINUTE + random.integer(5, 30) * MS_PER_MINUTE;
  while (at < toMs) {
    const minutes = random.integer(3, 17);
    const endMs = at + minutes * MS_PER_MINUTE;
    const worn = random.chance(0.88);
    const bout: Bout = {
      startMs: at,
      minutes,
      stepsPerMinute: random.integer(52, 108),
      trackerWorn: worn,
      phoneCarried: !worn || random.chance(0.55),
    };
    const free = busy.every((span) => !span || endMs + 120_000 <= span.startMs || at - 120_000 >= span.endMs);
    if (free && endMs <= toMs) bouts.push(bout);
    at = endMs + random.integer(20, 110) * MS_PER_MINUTE;
  }
  return bouts;
}
