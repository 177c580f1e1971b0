import { formatOffset, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { Calendar, type LocalDay } from '../calendar.js';
import type { RecordedSecond, WorkoutFile } from '../fit/index.js';
import { Random } from '../random.js';
import { madeUpWorkouts } from './history-workouts.js';
import type { SuuntoDay, SuuntoInput, SuuntoSample, SuuntoWorkout } from './wire-types.js';

/** Seconds between readings. Like a watch in power-saving mode, the simulator does not record every second. */
const EVERY_SECONDS = 10;
const LAP_SECONDS = 1_200;

/** Generates a workout's file: a route to the north-east, with the workout's pause. */
function madeUpFile(workout: SuuntoWorkout, seed: number): WorkoutFile {
  const random = new Random(seed, workout.startTime, 'suunto files');
  const { startTime, stopTime, totalTime, hrdata, cadence, avgSpeed, avgPower, maxAltitude } = workout;
  const active = Math.floor(totalTime);
  const paused = typeof stopTime === 'number' ? Math.round((stopTime - startTime) / MS_PER_SECOND - totalTime) : 0;
  const pauseAt = Math.floor(active / 2);
  const isOutdoors = Number(maxAltitude) > 0;
  const readings: RecordedSecond[] = [];
  for (let at = 0; at < active; at += EVERY_SECONDS) {
    // The belt sometimes loses contact.
    const hasContact = hrdata !== undefined && random.chance(0.97);
    readings.push({
      second: at < pauseAt ? at : at + paused,
      ...(hasContact && { heartRate: random.integer(95, 171) }),
      ...(avgSpeed !== undefined && { speed: random.integer(0, 8_000) / 1_000 }),
      ...(cadence !== undefined && { cadence: random.integer(40, 95) }),
      ...(avgPower !== undefined && { power: random.integer(0, 480) }),
      ...(isOutdoors && {
        elevation: random.integer(100, 1_500) / 5,
        latitude: 65 + at / 100_000,
        longitude: 25 + at / 100_000,
      }),
    });
  }
  const laps = [];
  for (let second = 0; second + LAP_SECONDS <= active; second += LAP_SECONDS) {
    laps.push({ second, seconds: LAP_SECONDS, meters: Math.round(LAP_SECONDS * Number(avgSpeed ?? 0)) });
  }
  return { readings, laps, ...(paused > 0 && { pauses: [{ second: pauseAt, seconds: paused }] }) };
}

/** Amount of generated data. */
export interface SuuntoHistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

const WATCH = 'Suunto Race S';
const SECOND_WATCH = 'Suunto 9 Peak';
const TEN_MINUTES_MS = 10 * MS_PER_MINUTE;
const JOULES_PER_KCAL = 4_184;

/** Generates data until now. The same seed and end yield the same data. */
export function madeUpLife(timeZone: string, nowMs: number, { seed = 1, days = 30 }: SuuntoHistoryOptions) {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  const life = {
    workouts: [],
    sleep: [],
    activity: [],
    recovery: [],
    days: [],
    files: {} as Record<string, WorkoutFile>,
  } satisfies SuuntoInput as Required<SuuntoInput> & { files: Record<string, WorkoutFile> };
  for (let back = days - 1; back >= 0; back--) {
    const day = calendar.day(today, -back);
    const activity = madeUpActivity(calendar, day, nowMs, seed);
    life.activity.push(...activity);
    life.recovery.push(...madeUpRecovery(calendar, day, nowMs, seed));
    life.sleep.push(...madeUpSleep(calendar, day, nowMs, seed));
    life.days.push(...madeUpDay(calendar, day, activity, new Random(seed, day.number, 'days')));
    for (const workout of madeUpWorkouts(calendar, day, nowMs, seed)) {
      life.workouts.push(workout);
      life.files[workout.workoutKey] = madeUpFile(workout, seed);
    }
  }
  return life;
}

/** Formats times like the watch: with milliseconds and its offset. */
function timeOf(calendar: Calendar, ms: number): string {
  const offset = calendar.offsetAt(ms);
  return new Date(ms + offset * MS_PER_MINUTE).toISOString().replace('Z', formatOffset(offset));
}

/** Returns a record every ten minutes; missing values are null or omitted. */
function madeUpActivity(calendar: Calendar, day: LocalDay, nowMs: number, seed: number): SuuntoSample[] {
  const samples: SuuntoSample[] = [];
  for (let at = day.startMs; at + TEN_MINUTES_MS <= Math.min(day.endMs, nowMs); at += TEN_MINUTES_MS) {
    const random = new Random(seed, at, 'activity');
    const hour = (at - day.startMs) / MS_PER_HOUR;
    const isAwake = hour > 7 && hour < 23;
    const steps = isAwake && random.chance(0.6) ? random.integer(0, 400) : 0;
    const heart = random.integer(isAwake ? 60 : 46, isAwake ? 110 : 60);
    const isWorn = random.chance(0.95);
    samples.push({
      timestamp: timeOf(calendar, at),
      entryData: {
        HR: isWorn ? heart : null,
        ...(isWorn && { HRExt: { Min: heart - random.integer(1, 8), Max: heart + random.integer(1, 12) } }),
        StepCount: isWorn ? steps : null,
        EnergyConsumption: (11 + steps / 30) * JOULES_PER_KCAL,
        ...(!isAwake && random.chance(0.3) && { HRV: random.integer(30, 90), SpO2: random.integer(93, 99) / 100 }),
        Altitude: 23,
      },
    });
  }
  return samples;
}

/** Returns a record every half hour, sometimes without a state. */
function madeUpRecovery(calendar: Calendar, day: LocalDay, nowMs: number, seed: number): SuuntoSample[] {
  const samples: SuuntoSample[] = [];
  for (let at = day.startMs; at <= Math.min(day.endMs - 1, nowMs); at += 3 * TEN_MINUTES_MS) {
    const random = new Random(seed, at, 'recovery');
    const entryData = { Balance: random.integer(5, 100) / 100, StressState: random.integer(0, 4) };
    samples.push({ timestamp: timeOf(calendar, at), entryData });
  }
  return samples;
}

/** Generates the night that ends on the day, with its earlier versions, and sometimes a nap. */
function madeUpSleep(calendar: Calendar, day: LocalDay, nowMs: number, seed: number): SuuntoSample[] {
  const random = new Random(seed, day.number, 'sleep');
  const startMs = day.startMs + Math.round(random.bell(-40, 60)) * MS_PER_MINUTE;
  const night = version(calendar, random, { startMs, minutes: Math.round(random.bell(450, 45)), isNap: false });
  const samples = night.endMs <= nowMs ? [interim(night.sample), night.sample] : [];
  const isRevised = random.chance(0.15);
  // Same id with a longer duration: the user stayed in bed after the watch detected the end.
  if (isRevised && night.endMs <= nowMs) samples.push(revised(calendar, night));
  const napMs = day.startMs + 14 * MS_PER_HOUR;
  if (random.chance(0.2)) {
    const nap = version(calendar, random, { startMs: napMs, minutes: random.integer(20, 70), isNap: true });
    if (nap.endMs <= nowMs) samples.push(nap.sample);
  }
  return samples;
}

interface Version {
  sample: SuuntoSample;
  startMs: number;
  endMs: number;
}

function version(
  calendar: Calendar,
  random: Random,
  { startMs, minutes, isNap }: { startMs: number; minutes: number; isNap: boolean },
): Version {
  const endMs = startMs + minutes * MS_PER_MINUTE;
  const seconds = (share: number) => Math.round(minutes * share) * 60;
  const sample = {
    timestamp: timeOf(calendar, startMs),
    entryData: {
      SleepId: Math.floor(startMs / MS_PER_SECOND),
      BedtimeStart: timeOf(calendar, startMs),
      BedtimeEnd: timeOf(calendar, endMs),
      Duration: minutes * 60,
      DeepSleepDuration: seconds(0.18),
      LightSleepDuration: seconds(0.5),
      REMSleepDuration: seconds(0.22),
      SleepOnsetLatencyDuration: seconds(0.02),
      WakeAfterSleepOnsetDuration: seconds(0.05),
      IsNap: isNap,
      SleepQualityScore: random.integer(40, 98),
      HRAvg: random.integer(50, 62) + 0.5,
      HRMin: random.integer(41, 52),
      ...(!isNap && { AvgHRV: random.integer(35, 80), AvgHRVSampleCount: 70, MaxSpo2: random.integer(95, 99) / 100 }),
      DateTime: timeOf(calendar, startMs),
    },
  };
  return { sample, startMs, endMs };
}

/** Returns the version that a watch sends during sleep: without id and stages, marked as a nap. */
function interim({ timestamp, entryData }: SuuntoSample): SuuntoSample {
  const { BedtimeStart, Duration, DateTime } = entryData;
  const stages = { DeepSleepDuration: null, LightSleepDuration: null, REMSleepDuration: null };
  return {
    timestamp,
    entryData: {
      SleepId: 0,
      BedtimeStart,
      Duration: Math.round(Number(Duration) / 2),
      ...stages,
      IsNap: true,
      DateTime,
    },
  };
}

function revised(calendar: Calendar, { sample, endMs }: Version): SuuntoSample {
  const { LightSleepDuration, Duration } = sample.entryData;
  return {
    timestamp: sample.timestamp,
    entryData: {
      ...sample.entryData,
      BedtimeEnd: timeOf(calendar, endMs + 2 * TEN_MINUTES_MS),
      Duration: Number(Duration) + 1_200,
      LightSleepDuration: Number(LightSleepDuration) + 900,
    },
  };
}

/** Returns the daily totals of the watch. A second watch, worn on some days, counts a part of the same steps. */
function madeUpDay(calendar: Calendar, day: LocalDay, activity: readonly SuuntoSample[], random: Random): SuuntoDay[] {
  const sum = (member: string) => activity.reduce((total, { entryData }) => total + Number(entryData[member] ?? 0), 0);
  const common = { date: day.date, offsetMinutes: calendar.offsetAt(day.startMs) };
  const isGap = random.chance(0.05);
  const [steps, joules] = [sum('StepCount'), Math.round(sum('EnergyConsumption'))];
  const first = { ...common, device: WATCH, steps: isGap ? null : steps, joules: isGap ? null : joules };
  if (!random.chance(0.1)) return [first];
  return [first, { ...common, device: SECOND_WATCH, steps: Math.round(steps * 0.4), joules: null }];
}
