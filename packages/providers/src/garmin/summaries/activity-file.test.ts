import { type WorkoutFile, workoutFileBytes } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { read } from '../testing/read.js';
import { ACTIVITY_FILES, activityFileItems } from './activity-file.js';

const START = 1_746_828_000;
const startMs = START * 1_000;
const FILE: WorkoutFile = {
  readings: [
    { second: 0, heartRate: 100, speed: 2.5, elevation: 10 },
    { second: 10, heartRate: 140, power: 210, elevation: 14 },
  ],
  laps: [{ second: 0, seconds: 10, meters: 25 }],
};
const ANNOUNCED = {
  userId: 'u',
  activityId: 7,
  startTimeInSeconds: START,
  startTimeOffsetInSeconds: 3_600,
  fileType: 'FIT',
};

async function itemsOf(announced: unknown, file: WorkoutFile = FILE) {
  const bytes = workoutFileBytes(startMs, file);
  return JSON.parse((await activityFileItems(announced, bytes)).toString()) as Record<string, unknown>[];
}

it('returns the seconds and laps of a file', async () => {
  const [item] = await itemsOf(ANNOUNCED);
  expect(item).toMatchObject({
    activityId: 7,
    startTimeInSeconds: START,
    durationInSeconds: 10,
    isParent: false,
    laps: [{ startTimeInSeconds: START }],
    samples: [
      { startTimeInSeconds: START, heartRate: 100, speedMetersPerSecond: 2.5, elevationInMeters: 10 },
      { startTimeInSeconds: START + 10, heartRate: 140, powerInWatts: 210, elevationInMeters: 14 },
    ],
  });
});

it('completes the workout with the extremes of the file', async () => {
  const { workouts, samples } = read(ACTIVITY_FILES, ...(await itemsOf(ANNOUNCED)));
  expect(workouts).toMatchObject([
    {
      externalId: '7',
      isCompletion: true,
      heartRateMin: 100,
      heartRateMax: 140,
      elevationLowMeters: 10,
      elevationHighMeters: 14,
    },
  ]);
  expect(samples.filter(({ code }) => code === 'heart_rate')).toMatchObject([
    { startMs, value: 100, offsetMinutes: 60 },
    { startMs: startMs + 10_000, value: 140 },
  ]);
});

it.each([
  ['https://garmin.example/file?id=12', '12'],
  ['https://garmin.example/file', undefined],
  ['no address', undefined],
  [undefined, undefined],
])('takes the missing id from the URL %s', async (callbackURL, id) => {
  const [item] = await itemsOf({ ...ANNOUNCED, activityId: undefined, callbackURL });
  expect(item?.activityId).toBe(id);
  expect(item).not.toHaveProperty('callbackURL');
});

it('starts with the first second if the announcement has no start', async () => {
  const [item] = await itemsOf({ activityId: 7 });
  expect(item).toMatchObject({ startTimeInSeconds: START, durationInSeconds: 10 });
  const [late] = await itemsOf({ activityId: 7, startTimeInSeconds: START + 60 });
  expect(late).toMatchObject({ durationInSeconds: 0 });
  const [empty] = await itemsOf(ANNOUNCED, { readings: [] });
  expect(empty).toMatchObject({ startTimeInSeconds: START, samples: [] });
  expect(empty).not.toHaveProperty('durationInSeconds');
});

it('keeps the readings of a damaged file, but not its extremes', async () => {
  const [item] = await itemsOf(ANNOUNCED, { ...FILE, damage: 'wrong_checksum' });
  const { workouts, samples, rejections } = read(ACTIVITY_FILES, item);
  expect([workouts.length, samples.length > 0]).toEqual([0, true]);
  expect(rejections.first).toMatchObject([{ field: 'activityFile', code: 'damaged' }]);
});

it.each(['fit', undefined])('accepts the file type %s', async (fileType) => {
  expect(await itemsOf({ ...ANNOUNCED, fileType })).toHaveLength(1);
});

it('rejects the file type TCX', async () => {
  await expect(itemsOf({ ...ANNOUNCED, fileType: 'TCX' })).rejects.toMatchObject({
    code: 'invalid_answer',
    reason: 'file_type',
  });
});

it('rejects bytes that are not a FIT file', async () => {
  await expect(activityFileItems(ANNOUNCED, Buffer.from('hello'))).rejects.toMatchObject({
    code: 'invalid_answer',
  });
});
