import { describe, expect, it } from 'vitest';
import { read } from '../testing/read.js';

const DAY = 1_746_828_000; // 2025-05-10T00:00+02:00
const begin = { userId: 'd3315b10', startTimeInSeconds: DAY, startTimeOffsetInSeconds: 7_200 };
const midnight = DAY * 1_000;

describe('an activity', () => {
  const run = {
    ...begin,
    durationInSeconds: 2_700,
    summaryId: '19000000001',
    activityId: 19_000_000_001,
    activityType: 'TRAIL_RUNNING_V2',
    distanceInMeters: 8_050.2,
    activeKilocalories: 530,
    averageBikeCadenceInRoundsPerMinute: 84,
    deviceName: 'Forerunner 265',
  };
  const second = (after: number, more: object) => ({ startTimeInSeconds: DAY + after, ...more });

  it('merges an activity and its details into one workout', () => {
    const details = {
      summaryId: '19000000001-detail',
      activityId: 19_000_000_001,
      summary: run,
      samples: [
        second(0, { heartRate: 121, powerInWatts: 200, elevationInMeters: 212 }),
        second(1, { heartRate: 90, bikeCadenceInRPM: 80 }),
      ],
      laps: [{ startTimeInSeconds: DAY }, { startTimeInSeconds: DAY + 600 }],
    };
    const [plain, detailed] = [read('activities', run), read('activityDetails', details)];
    expect(plain.workouts).toMatchObject([
      { externalId: '19000000001', type: 'trail_running', averageCadence: 84, caloriesKcal: 530 },
    ]);
    expect(detailed.workouts[0]).toMatchObject({
      externalId: '19000000001',
      source: plain.workouts[0]?.source,
      heartRateMin: 90,
      maxWatts: 200,
      elevationHighMeters: 212,
      events: [
        { type: 'lap', startMs: midnight, durationSeconds: 600 },
        { type: 'lap', startMs: midnight + 600_000, durationSeconds: 2_100 },
      ],
    });
    expect(detailed.samples.map(({ code, value }) => `${code} ${value}`)).toEqual([
      'heart_rate 121',
      'power 200',
      'elevation 212',
      'heart_rate 90',
      'cadence 80',
    ]);
  });

  it('measures laps from start to start in any list order', () => {
    const laps = [600, 0, 1_500].map((after) => ({ startTimeInSeconds: DAY + after }));
    const { workouts } = read('activityDetails', { activityId: 19_000_000_001, summary: run, samples: [], laps });
    expect(workouts[0]?.events).toEqual(
      [
        [0, 600],
        [600, 900],
        [1_500, 1_200],
      ].map(([after = 0, durationSeconds]) => ({ type: 'lap', startMs: midnight + after * 1_000, durationSeconds })),
    );
  });

  it('yields only samples for details without a device', () => {
    const { deviceName: _, ...summary } = run;
    const { workouts, samples } = read('activityDetails', {
      activityId: 1,
      summary,
      samples: [second(0, { heartRate: 100 })],
    });
    expect(workouts).toEqual([]);
    expect(samples).toHaveLength(1);
  });

  it.each([
    ['Forerunner 265', 'watch'],
    ['Edge 1040', 'other'],
  ])('classifies the device %s as %s', (deviceName, kind) => {
    expect(read('activities', { ...run, deviceName }).workouts[0]?.source.deviceType).toBe(kind);
  });

  it('marks a manually entered activity without a device', () => {
    const { workouts } = read('manuallyUpdatedActivities', { ...run, manual: true, deviceName: 'Unknown' });
    expect(workouts).toMatchObject([{ userEntered: true }]);
    expect(workouts[0]?.source.deviceModel).toBeUndefined();
  });

  it('skips a multisport activity in favor of its parts', () => {
    expect(read('activities', { ...run, isParent: true })).toMatchObject({ workouts: [], superseded: 1 });
    expect(read('activities', { ...run, parentSummaryId: 7 }).workouts[0]?.metadata).toMatchObject({ parent_id: '7' });
  });

  it.each([
    ['running', 'running'],
    ['MULTI_SPORT', 'multisport'],
    ['INDOOR_WALKING', 'walking'],
    ['PADDELBALL', 'padel'],
    ['A_SPORT_OF_TOMORROW', 'other'],
  ])('maps the sport %s to %s', (activityType, type) => {
    expect(read('activities', { ...run, activityType }).workouts[0]?.type).toBe(type);
  });
});
