import { expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { silentMembers } from '../../testing/odd-versions.js';
import { activityRecords } from './activity.js';
import { dailyRecords } from './daily-statistics.js';
import { recoveryRecords } from './recovery.js';
import { placedSleep, sleepRecords } from './sleep.js';
import { workoutOf } from './workout.js';

const START = '2026-05-09T23:00:00.000+03:00';
const NIGHT = {
  SleepId: 1_746_302_340,
  BedtimeStart: '2026-05-09T23:10:00.000+03:00',
  BedtimeEnd: '2026-05-10T07:00:00.000+03:00',
  Duration: 28_000,
  DeepSleepDuration: 5_400,
  LightSleepDuration: 14_400,
  REMSleepDuration: 5_400,
  SleepOnsetLatencyDuration: 300,
  WakeAfterSleepOnsetDuration: 1_800,
  WakeBeforeOffBedDuration: 240,
  IsNap: false,
  SleepQualityScore: 79,
  HRAvg: 54,
  HRMin: 46,
  AvgHRV: 58,
  AvgHRVSampleCount: 40,
  MaxSpo2: 0.97,
};
const TEN_MINUTES = {
  HR: 71,
  HRExt: { Min: 64, Max: 88 },
  HRV: 47,
  SpO2: 0.95,
  StepCount: 40,
  EnergyConsumption: 41_840,
};
const GEAR = { displayName: 'Suunto Race S', serialNumber: '233100112233', swVersion: '2.41.30' };
const WORKOUT = {
  workoutKey: '66a1f0c2d4b9e7735c1e0b42',
  activityId: 22,
  startTime: 1_746_338_400_000,
  stopTime: 1_746_342_240_000,
  timeOffsetInMinutes: 180,
  totalTime: 3_725.4,
  totalDistance: 9_480,
  totalAscent: 188,
  totalDescent: 181,
  minAltitude: 842,
  maxAltitude: 1_769,
  avgSpeed: 2.55,
  maxSpeed: 4.31,
  avgPower: 261,
  maxPower: 402,
  energyConsumption: 640,
  stepCount: 9_920,
  recoveryTime: 54_000,
  hrdata: { min: 92, avg: 145, hrmax: 170 },
  tss: { trainingStressScore: 71.2 },
  isManuallyAdded: true,
  gear: GEAR,
  extensions: [{ type: 'SummaryExtension', avgCadence: 1.4, avgTemperature: 294.15 }],
};
const STEPS = { TimeISO8601: '2026-05-10T00:00:00+03:00', Value: 8_123 };

it.each<[string, object, readonly string[], (record: unknown, tally: Tally) => unknown]>([
  [
    'a night',
    { timestamp: START, entryData: NIGHT },
    ['entryData.SleepId'],
    (record, tally) => {
      const sleep = placedSleep(record, tally);
      return sleep && sleepRecords(sleep);
    },
  ],
  ['a ten-minute record', { timestamp: START, entryData: TEN_MINUTES }, [], activityRecords],
  ['a recovery', { timestamp: START, entryData: { Balance: 0.7, StressState: 3 } }, [], recoveryRecords],
  [
    'a workout',
    WORKOUT,
    ['workoutKey', 'gear.displayName', 'gear.serialNumber', 'gear.swVersion', 'extensions.0.type'],
    workoutOf,
  ],
  [
    'a day',
    STEPS,
    [],
    (sample, tally) => {
      const days = { firstDay: 20_000, endDay: 21_000 };
      return dailyRecords([{ Name: 'stepcount', Sources: [{ Samples: [sample] }] }], days, tally);
    },
  ],
])('counts each unreadable field of %s', (_, item, texts, read) => {
  const silent = silentMembers(item, texts, (version) => {
    const tally = new Tally('kind');
    return { stored: read(version, tally), rejected: tally.rejections.total };
  });
  expect(silent).toEqual([]);
});

it.each([101, -1])('rejects a sleep score of %i', (SleepQualityScore) => {
  const tally = new Tally('sleep');
  const sleep = placedSleep({ timestamp: START, entryData: { ...NIGHT, SleepQualityScore } }, tally);
  const kinds = (sleep ? sleepRecords(sleep) : []).map(({ kind }) => kind);
  expect([kinds.includes('sleep_session'), kinds.includes('health_score')]).toEqual([true, false]);
  expect(tally.rejections.first).toMatchObject([{ field: 'SleepQualityScore', code: 'implausible' }]);
});

it('stores a workout without its impossible offset', () => {
  const tally = new Tally('workouts');
  expect(workoutOf({ ...WORKOUT, timeOffsetInMinutes: 7_200 }, tally)).toMatchObject({ offsetMinutes: undefined });
  expect(tally.rejections.first).toMatchObject([{ field: 'timeOffsetInMinutes', code: 'not_understood' }]);
});
