import { MS_PER_SECOND } from '@healthd/model';
import { type RecordedSecond, readableReadings, type WorkoutFile } from '../fit/index.js';
import type { SuuntoAccount } from './account.js';
import type { SuuntoSample } from './wire-types.js';

/** Activities that count the steps of one leg: walks, runs and hikes. */
const ON_FOOT: ReadonlySet<number> = new Set([0, 1, 11, 22, 24, 53, 59, 70, 95, 103, 115]);

/** Data that a client must read for an account, oldest first. */
export interface SuuntoTruth {
  workouts: {
    id: string;
    startMs: number;
    endMs: number;
    meters: number | undefined;
    /** Readings of the workout's FIT file, oldest first. Cadences on foot count both legs. */
    readings: ({ atMs: number } & Omit<RecordedSecond, 'second'>)[];
  }[];
  sleeps: { startMs: number; endMs: number; isNap: boolean; asleepSeconds: number | undefined }[];
  recoveries: { atMs: number; percent: number; state: number }[];
  /** Sum of all ten-minute records. Null values are gaps. */
  steps: number;
  kilocalories: number;
  heartRates: number;
  days: { date: string; device: string; steps: number | null }[];
}

/** Computes the expected data from the simulator's internal state, which a client cannot read. */
export function truthOf({ workouts, files, sleep, activity, recovery, days }: SuuntoAccount): SuuntoTruth {
  const records = [...activity.values()].map(({ entryData }) => entryData);
  const sum = (member: string) => records.reduce((total, data) => total + Number(data[member] ?? 0), 0);
  return {
    workouts: [...workouts.values()]
      .map(({ workout: { workoutKey, activityId, startTime, stopTime, totalTime, totalDistance } }) => ({
        id: workoutKey,
        startMs: startTime,
        endMs: typeof stopTime === 'number' ? stopTime : startTime + totalTime * MS_PER_SECOND,
        meters: typeof totalDistance === 'number' ? totalDistance : undefined,
        readings: readingsOf(files.get(workoutKey), startTime, ON_FOOT.has(activityId) ? 2 : 1),
      }))
      .sort((a, b) => a.startMs - b.startMs),
    sleeps: finalSleeps(sleep),
    recoveries: [...recovery.values()]
      .map(({ timestamp, entryData }) => ({
        atMs: Date.parse(timestamp),
        percent: Math.round(Number(entryData.Balance) * 100),
        state: Number(entryData.StressState),
      }))
      .sort((a, b) => a.atMs - b.atMs),
    steps: sum('StepCount'),
    kilocalories: sum('EnergyConsumption') / 4_184,
    heartRates: records.filter(({ HR }) => Number(HR ?? 0) > 0).length,
    days: [...days.values()]
      .map(({ date, device, steps }) => ({ date, device, steps }))
      .sort((a, b) => `${a.date} ${a.device}`.localeCompare(`${b.date} ${b.device}`)),
  };
}

/** Returns the readings of a file. A damaged file contains only the readings before the damage. */
function readingsOf(file: WorkoutFile | undefined, startMs: number, legs: number) {
  if (!file) return [];
  const firstMs = Math.floor(startMs / MS_PER_SECOND) * MS_PER_SECOND;
  return readableReadings(startMs, file).map(({ second, cadence, ...measured }) => ({
    atMs: Math.max(startMs, firstMs + second * MS_PER_SECOND),
    ...measured,
    ...(cadence !== undefined && { cadence: cadence * legs }),
  }));
}

/** The watch sends the final version of a sleep last. Versions sent during the sleep have no end and do not count. */
function finalSleeps(samples: readonly SuuntoSample[]): SuuntoTruth['sleeps'] {
  const last = new Map<string, SuuntoSample>();
  for (const sample of samples) if (sample.entryData.BedtimeEnd !== undefined) last.set(sample.timestamp, sample);
  const stages = ['DeepSleepDuration', 'LightSleepDuration', 'REMSleepDuration'];
  const asleep = (data: SuuntoSample['entryData']) =>
    stages.some((name) => data[name] === undefined || data[name] === null)
      ? undefined
      : stages.reduce((sum, name) => sum + Number(data[name]), 0);
  return [...last.values()]
    .map(({ timestamp, entryData }) => ({
      startMs: Date.parse(timestamp),
      endMs: Date.parse(String(entryData.BedtimeEnd)),
      isNap: entryData.IsNap === true,
      // A missing stage makes the total unknown.
      asleepSeconds: asleep(entryData),
    }))
    .sort((a, b) => a.startMs - b.startMs);
}
