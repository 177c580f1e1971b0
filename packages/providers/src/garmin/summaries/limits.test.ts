import { MS_PER_DAY } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { read } from '../testing/read.js';

const START = 1_746_828_000; // 2025-05-10T00:00+02:00
const startMs = START * 1_000;
const begin = { startTimeInSeconds: START, startTimeOffsetInSeconds: 7_200, durationInSeconds: 900 };
const valuesOf = (dataType: string, item: object) =>
  read(dataType, item).samples.map(({ code, value }) => `${code} ${value}`);

describe('values at the limits', () => {
  it.each<[string, string, Record<string, number>]>([
    ['stressDetails', 'timeOffsetStressLevelValues', { '-1': 0, 0: 1, 1: 1 }],
    ['stressDetails', 'timeOffsetBodyBatteryValues', { '-1': 0, 0: 1, 1: 1 }],
    ['allDayRespiration', 'timeOffsetEpochToBreaths', { '-1': 0, 0: 0, '0.5': 1 }],
    ['hrv', 'hrvValues', { '-1': 0, 0: 0, 1: 1 }],
    ['dailies', 'timeOffsetHeartRateSamples', { '-1': 0, 0: 0, 1: 1 }],
    ['pulseox', 'timeOffsetSpo2Values', { '-1': 0, 0: 0, '0.5': 1, 100: 1, '100.5': 0 }],
  ])('of %s in %s count only if measured', (dataType, member, counts) => {
    for (const [value, count] of Object.entries(counts)) {
      const { samples, noValue } = read(dataType, { ...begin, [member]: { 60: Number(value) } });
      expect([samples.length, noValue], value).toEqual([count, 1 - count]);
      for (const sample of samples) expect(sample).toMatchObject({ startMs: startMs + 60_000, offsetMinutes: 120 });
    }
  });

  it('convert a saturation up to 1 to percent', () => {
    const { samples } = read('pulseox', { ...begin, timeOffsetSpo2Values: { 0: 0.5, 1: 1, 2: 1.5 } });
    expect(samples.map(({ value }) => value)).toEqual([50, 100, 1.5]);
  });

  it.each([
    [
      'bodyComps',
      { weightInGrams: 0, bodyFatInPercent: -1, bodyMassIndex: 21, muscleMassInGrams: 30_500 },
      ['body_mass_index 21', 'skeletal_muscle_mass 30.5'],
    ],
    [
      'bloodPressures',
      { systolic: 121, diastolic: 79, pulse: 0 },
      ['blood_pressure_systolic 121', 'blood_pressure_diastolic 79'],
    ],
    ['userMetrics', { calendarDate: '2025-05-10', vo2Max: 0, fitnessAge: 31 }, ['garmin_fitness_age 31']],
  ] as const)('of %s omit figures of 0 or less', (dataType, figures, expected) => {
    const time = { measurementTimeInSeconds: START, measurementTimeOffsetInSeconds: 3_600 };
    expect(valuesOf(dataType, { ...time, ...figures })).toEqual(expected);
    if (dataType !== 'userMetrics')
      expect(read(dataType, { ...time, ...figures }).samples[0]).toMatchObject({ startMs, offsetMinutes: 60 });
  });

  it('keep totals of 0, but no pulse or wheelchair pushes of 0', () => {
    const none = { steps: 0, distanceInMeters: 0, pushes: 0, restingHeartRateInBeatsPerMinute: 0 };
    const { samples, noValue } = read('dailies', { ...begin, ...none, floorsClimbed: -1 });
    expect(samples.map(({ code }) => code)).toEqual(['steps', 'distance_walking_running']);
    expect(noValue).toBe(3);
    expect(read('dailies', { ...begin, averageStressLevel: 0 }).scores).toMatchObject([{ value: 0 }]);
  });

  it('store a nightly average only if positive', () => {
    expect(read('hrv', { ...begin, lastNightAvg: 0 }).samples).toEqual([]);
    const { samples } = read('hrv', { ...begin, durationInSeconds: 0, lastNightAvg: 1 });
    expect(samples).toMatchObject([{ sampleKind: 'aggregate', startMs }]);
    const [version] = read('hrv', begin).items;
    expect(version?.exclusive?.replaces).toMatchObject([{ of: { externalIds: ['hrv', 'hrv/lastNightAvg'] } }]);
  });

  it("distinguish a snapshot's stress of 0 from missing values", () => {
    const summaries = [
      { summaryType: 'stress', avgValue: 0 },
      { summaryType: 'STRESS', avgValue: -1 },
      { summaryType: 'heart_rate', avgValue: 0 },
      { summaryType: 'respiration' },
      { avgValue: 3 },
    ];
    const { samples, noValue } = read('healthSnapshot', { ...begin, summaries });
    expect(samples).toMatchObject([
      { code: 'garmin_stress_level', value: 0, durationMs: 900_000, externalId: 'healthSnapshot:stress' },
    ]);
    expect(noValue).toBe(4);
  });

  it('distinguish a skin temperature deviation of 0 from a missing deviation', () => {
    expect(read('skinTemp', { ...begin, avgDeviationCelsius: 0 }).samples).toMatchObject([
      { value: 0, durationMs: 900_000, startMs },
    ]);
    expect(read('skinTemp', begin)).toMatchObject({ samples: [], items: [{ records: [] }] });
  });
});

describe('the span of an item', () => {
  it.each(['stressDetails', 'allDayRespiration', 'pulseox', 'skinTemp', 'healthSnapshot', 'hrv', 'dailies', 'epochs'])(
    'of %s is its length, or one second without a length',
    (dataType) => {
      const [item, point] = read(dataType, begin, { ...begin, durationInSeconds: 0 }).items;
      expect(item?.span).toEqual({ startMs, endMs: startMs + 900_000 });
      expect(point?.span).toEqual({ startMs, endMs: startMs + 1_000 });
    },
  );

  it('uses the older name of the length', () => {
    const { durationInSeconds: _, ...unnamed } = begin;
    expect(read('stressDetails', { ...unnamed, duration: 60 }).items[0]?.span).toEqual({
      startMs,
      endMs: startMs + 60_000,
    });
  });

  it.each([
    [64_800, 1_080],
    [64_860, undefined],
    [-64_800, -1_080],
    [90, undefined],
    ['soon', undefined],
  ])('with the offset %s s has the offset %s in minutes', (startTimeOffsetInSeconds, offsetMinutes) => {
    const item = { ...begin, startTimeOffsetInSeconds, timeOffsetSpo2Values: { 0: 97 } };
    expect(read('pulseox', item).samples[0]?.offsetMinutes).toBe(offsetMinutes);
  });
});

describe('a version of a day', () => {
  it('is numbered by its length in seconds, up to a day', () => {
    const lengths = [86_399, 86_400, 90_000].map((durationInSeconds) => ({ ...begin, durationInSeconds }));
    expect(read('dailies', ...lengths).items.map((item) => item?.version)).toEqual([86_399, 86_400, 86_400]);
  });

  it('uses the date of its start if the vendor date is missing', () => {
    expect(read('dailies', begin).items[0]?.key).toBe('2025-05-10');
    expect(read('dailies', { ...begin, startTimeOffsetInSeconds: null }).items[0]?.key).toBe('2025-05-09');
    expect(read('stressDetails', begin).items[0]).toMatchObject({
      day: '2025-05-10',
      key: `2025-05-10 ${START}`,
      version: 900,
    });
  });
});

it.each([
  [undefined, 'missing'],
  ['2025-13-40', 'invalid_date'],
])('rejects metrics with the date %s', (calendarDate, code) => {
  expect(read('userMetrics', { calendarDate, vo2Max: 50 }).rejections.first).toMatchObject([{ code }]);
});

it('reports no efficiency for a night without time asleep', () => {
  const unmeasurable = [{ startTimeInSeconds: START, endTimeInSeconds: START + 3_600 }];
  const [night] = read('sleeps', { startTimeInSeconds: START, sleepLevelsMap: { unmeasurable } }).nights;
  expect(read('sleeps', { startTimeInSeconds: START, durationInSeconds: 60 }).scores).toEqual([]);
  expect(night).toMatchObject({ asleepSeconds: undefined, efficiencyPercent: undefined, endMs: startMs + 3_600_000 });
});

describe('a slot of movement', () => {
  it.each([
    ['WALKING', 0],
    ['running', 1],
    ['SEDENTARY', 2],
    [undefined, 3],
    ['GENERIC', 3],
    ['SLEEP', 4],
    ['WHEELCHAIR_PUSH', 5],
    ['ROWING', 6],
  ])('of type %s is shortened by %i seconds at its start', (activityType, seconds) => {
    const { samples } = read('epochs', { ...begin, activityType, steps: 10, meanHeartRateInBeatsPerMinute: 80 });
    const kind = (activityType ?? 'GENERIC').toUpperCase();
    const at = { startMs: startMs + seconds * 1_000, durationMs: (900 - seconds) * 1_000 || undefined };
    expect(samples).toMatchObject([
      { code: 'steps', value: 10, externalId: `epochs/${kind}`, ...at },
      { code: 'heart_rate', value: 80, ...at },
    ]);
  });

  it('never starts after its end', () => {
    const { samples } = read('epochs', { ...begin, durationInSeconds: 2, activityType: 'SLEEP', steps: 1 });
    expect(samples).toMatchObject([{ startMs: startMs + 2_000, durationMs: undefined }]);
  });

  it('omits amounts and pulses of 0', () => {
    const { samples, noValue } = read('epochs', {
      ...begin,
      steps: 0,
      activeKilocalories: 0.5,
      distanceInMeters: -1,
      meanHeartRateInBeatsPerMinute: 0,
    });
    expect([samples.map(({ code }) => code), noValue]).toEqual([['energy'], 2]);
    const older = { averageHeartRateInBeatsPerMinute: 61 };
    expect(read('epochs', { ...begin, ...older })).toMatchObject({
      samples: [{ code: 'heart_rate', value: 61 }],
      noValue: 0,
    });
  });
});

describe('a cycle', () => {
  const first = Date.parse('2025-05-01');
  const endOf = (item: object) => {
    const [cycle] = read('mct', item).cycles;
    return cycle && (cycle.endMs - first) / MS_PER_DAY;
  };
  const cycle = { periodStartDate: '2025-05-01' };
  const due = (dueDate: unknown) => ({ pregnancySnapshot: { pregnancyCycleStartDate: '2025-05-01', dueDate } });

  it.each([
    ['its length', { ...cycle, cycleLength: 26, predictedCycleLength: 27 }, 26],
    ['the predicted length', { ...cycle, predictedCycleLength: 27 }, 27],
    ['the predicted length instead of a length of 0', { ...cycle, cycleLength: 0, predictedCycleLength: 1 }, 1],
    ['the usual length', { ...cycle, cycleLength: -1 }, 28],
    ['the due date', due('2025-06-01'), 31],
    ['the usual length of a pregnancy', due(undefined), 280],
    ['the usual length of a pregnancy if the due date is its start', due('2025-05-01'), 280],
    ['the usual length of a pregnancy if the due date is invalid', due('2025-02-31x'), 280],
  ])('ends after %s', (_, item, days) => {
    expect(endOf(item)).toBe(days);
  });

  it('has an id even without a vendor id', () => {
    const { cycles, items } = read('mct', {
      ...cycle,
      dayInCycle: 0,
      isPredictedCycle: false,
      currentPhaseType: 'LUTEAL',
      lastUpdatedTimeInSeconds: START,
    });
    expect(cycles[0]).toMatchObject({ externalId: 'mct-2025-05-01', startMs: first });
    expect(cycles[0]?.details).toEqual({
      day_in_cycle: 0,
      is_predicted_cycle: false,
      current_phase_type: 'LUTEAL',
      last_updated_at: new Date(startMs).toISOString(),
    });
    expect(items[0]).toMatchObject({ key: 'mct-2025-05-01', version: startMs, span: { startMs: first } });
    expect(read('mct', cycle).items[0]).not.toHaveProperty('version');
    expect(read('mct', { periodStartDate: 'soon' }).rejections.first).toMatchObject([{ code: 'missing' }]);
  });
});

describe('activity details and laps', () => {
  const activity = { activityId: 7, deviceName: 'Edge 530', activityType: 'CYCLING', ...begin };
  const details = (...samples: object[]) =>
    read('activityDetails', {
      summary: activity,
      samples: samples.map((one, at) => ({ startTimeInSeconds: START + at, ...one })),
    });

  it('yield the extremes and the mean power of the workout', () => {
    const { workouts } = details(
      { heartRate: 0, powerInWatts: 0, elevationInMeters: -3, movingDurationInSeconds: 5 },
      { heartRate: 90, powerInWatts: 300, elevationInMeters: 12 },
      { heartRate: 80, elevationInMeters: 4, movingDurationInSeconds: 4 },
    );
    expect(workouts).toMatchObject([
      {
        heartRateMin: 80,
        averageWatts: 150,
        maxWatts: 300,
        elevationLowMeters: -3,
        elevationHighMeters: 12,
        movingSeconds: 5,
      },
    ]);
  });

  it('leave figures undefined if no second contains them', () => {
    const [workout] = details({ speedMetersPerSecond: 2 }).workouts;
    expect(workout).toMatchObject({ heartRateMin: undefined, averageWatts: undefined, maxWatts: undefined });
    expect(workout).toMatchObject({ elevationLowMeters: undefined, movingSeconds: undefined, durationSeconds: 900 });
  });

  it('become samples even at 0, except pulses', () => {
    const { samples } = details(
      { heartRate: 0, speedMetersPerSecond: 0, powerInWatts: 0, bikeCadenceInRPM: 0 },
      { stepsPerMinute: 160, bikeCadenceInRPM: 80, airTemperatureCelsius: -2 },
    );
    expect(samples.map(({ code, value, startMs: at }) => `${(at - startMs) / 1_000} ${code} ${value}`)).toEqual([
      '0 speed 0',
      '0 cadence 0',
      '0 power 0',
      '1 cadence 160',
      '1 air_temperature -2',
    ]);
  });

  it('yield laps that end where the next lap starts', () => {
    const laps = [300, 0, 900].map((seconds) => ({ startTimeInSeconds: START + seconds }));
    const [workout] = read('activities', { ...activity, laps }).workouts;
    expect(workout?.events?.map(({ startMs: at, durationSeconds }) => [at - startMs, durationSeconds])).toEqual([
      [0, 300],
      [300_000, 600],
      [900_000, 0],
    ]);
    expect(read('activities', activity).workouts[0]).not.toHaveProperty('events');
  });
});

describe('an activity', () => {
  const activity = { activityId: 7, activityType: 'RUNNING', ...begin };
  const workoutOf = (changes: object) => read('activities', { ...activity, ...changes }).workouts[0];

  it.each([
    [{ averageRunCadenceInStepsPerMinute: 160, averageBikeCadenceInRPM: 80 }, 160],
    [{ averageBikeCadenceInRoundsPerMinute: 81, averageBikeCadenceInRPM: 80 }, 81],
    [{ averageBikeCadenceInRPM: 80, averageSwimCadenceInStrokesPerMinute: 30 }, 80],
    [{ averageSwimCadenceInStrokesPerMinute: 30 }, 30],
  ])('with the cadences %j has the cadence %i', (cadences, expected) => {
    expect(workoutOf(cadences)?.averageCadence).toBe(expected);
  });

  it('prefers the total elevation gain', () => {
    expect(workoutOf({ totalElevationGainInMeters: 0, elevationGainInMeters: 5 })?.elevationGainMeters).toBe(0);
    expect(workoutOf({ elevationGainInMeters: 5 })?.elevationGainMeters).toBe(5);
  });

  it.each([
    [{ activityId: '8' }, '8'],
    [{ activityId: undefined, summaryId: 'x-9-detail' }, 'x-9'],
    [{ activityId: 1.5, summaryId: 'x-9' }, 'x-9'],
  ])('with the ids %j has the id %s', (ids, externalId) => {
    expect(workoutOf(ids)?.externalId).toBe(externalId);
  });

  it('is rejected without an id', () => {
    expect(read('activities', { ...activity, activityId: undefined }).rejections.first).toMatchObject([
      { field: 'activityId', code: 'missing' },
    ]);
  });

  it('is skipped if its parts arrive separately', () => {
    expect(read('activities', { ...activity, isParent: true })).toMatchObject({ workouts: [], superseded: 1 });
    expect(read('activities', { ...activity, isParent: false }).workouts).toHaveLength(1);
  });

  it('ranks an edited version above a recorded version', () => {
    const rankOf = (dataType: string) => read(dataType, activity).items[0]?.precedence?.rank ?? Number.NaN;
    for (const dataType of ['manuallyUpdatedActivities', 'manualActivities']) {
      expect(rankOf(dataType)).toBeGreaterThan(rankOf('activities'));
    }
    expect(workoutOf({ manual: true })).toMatchObject({ userEntered: true });
    expect(workoutOf({ manual: false })).not.toHaveProperty('userEntered');
  });

  it('names its sport and its parent', () => {
    expect(workoutOf({ parentSummaryId: 12 })?.metadata).toEqual({ vendor_type: 'RUNNING', parent_id: '12' });
    expect(workoutOf({ activityType: undefined })?.metadata).toEqual({});
  });
});
