import { describe, expect, it } from 'vitest';
import { read } from '../testing/read.js';

const DAY = 1_746_828_000; // 2025-05-10T00:00+02:00
const begin = {
  userId: 'd3315b10',
  startTimeInSeconds: DAY,
  startTimeOffsetInSeconds: 7_200,
  durationInSeconds: 86_400,
};
const midnight = DAY * 1_000;
const noon = Date.parse('2025-05-10T12:00:00Z');

describe('a day', () => {
  const daily = { ...begin, calendarDate: '2025-05-10' };

  it('stores its totals at local midnight', () => {
    const { samples } = read('dailies', {
      ...daily,
      steps: 8_123,
      distanceInMeters: 6_110.4,
      activeKilocalories: 412,
      bmrKilocalories: 1_702,
      floorsClimbed: 9,
      activeTimeInSeconds: 5_400,
      restingHeartRateInBeatsPerMinute: 51,
      averageHeartRateInBeatsPerMinute: 63,
      pushes: 0,
    });
    expect(samples.map(({ code, value }) => `${code} ${value}`)).toEqual([
      'steps 8123',
      'distance_walking_running 6110.4',
      'energy 412',
      'basal_energy 1702',
      'flights_climbed 9',
      'active_time 90',
      'resting_heart_rate 51',
    ]);
    for (const sample of samples) {
      expect(sample).toMatchObject({ startMs: midnight, offsetMinutes: 120, sampleKind: 'daily_total' });
    }
  });

  it.each([
    ['starts at another instant', { startTimeInSeconds: DAY + 90_000 }, midnight, 120],
    ['has no offset and starts at midnight', { startTimeOffsetInSeconds: null }, midnight, 120],
    [
      'has no offset and starts after midnight',
      { startTimeOffsetInSeconds: null, startTimeInSeconds: DAY + 61 },
      noon,
      undefined,
    ],
    ['has no date', { calendarDate: undefined }, midnight, 120],
  ])('that %s is stored at local midnight, or noon UTC if unknown', (_, odd, startMs, offsetMinutes) => {
    const { samples } = read('dailies', { ...daily, ...odd, steps: 1 });
    expect(samples).toMatchObject([{ startMs, offsetMinutes }]);
  });

  it('treats a longer version of a day as newer', () => {
    const [whole, half] = read('dailies', daily, { ...daily, durationInSeconds: 43_200 }).items;
    expect(whole?.key).toBe(half?.key);
    expect(whole?.version).toBeGreaterThan(half?.version ?? 0);
  });

  it('describes only measured stress in words', () => {
    const { scores } = read('dailies', {
      ...daily,
      averageStressLevel: 31,
      maxStressLevel: 88,
      stressQualifier: 'very_stressful_awake',
    });
    expect(scores).toMatchObject([
      {
        category: 'stress',
        externalId: 'stress/2025-05-10',
        value: 31,
        qualifier: 'Very Stressful Awake',
        atMs: midnight,
      },
    ]);
    expect(scores[0]?.components).toEqual({ maxStressLevel: { value: 88, qualifier: null } });
    expect(read('dailies', { ...daily, averageStressLevel: -1 })).toMatchObject({ scores: [], noValue: 1 });
    expect(read('dailies', { ...daily, averageStresslevel: 12 }).scores).toMatchObject([{ value: 12 }]);
  });

  it('timestamps nonzero heart rates by start and offset', () => {
    const { samples, noValue } = read('dailies', { ...daily, timeOffsetHeartRateSamples: { 0: 58, 15: 0, 30: 57 } });
    expect(samples.map(({ startMs, value }) => [startMs - midnight, value])).toEqual([
      [0, 58],
      [30_000, 57],
    ]);
    expect(noValue).toBe(1);
  });

  it('rejects only the day without a readable start', () => {
    const { rejections, items } = read('dailies', { ...daily, startTimeInSeconds: 'soon' }, { ...daily, steps: 1 });
    expect(rejections.first).toMatchObject([{ index: 0, field: 'startTimeInSeconds', code: 'invalid_date' }]);
    expect(items[1]?.records).toHaveLength(1);
  });
});

it('keeps two movement types of one slot as two samples', () => {
  const epoch = { ...begin, durationInSeconds: 900, steps: 100, activeKilocalories: 5 };
  const { samples } = read('epochs', { ...epoch, activityType: 'WALKING' }, { ...epoch, activityType: 'RUNNING' });
  const steps = samples.filter(({ code }) => code === 'steps');
  expect(steps).toHaveLength(2);
  // Samples in the same second would count as one redelivered sample.
  expect(new Set(steps.map(({ startMs }) => startMs)).size).toBe(2);
  expect(steps.map(({ startMs, durationMs = 0 }) => startMs + durationMs)).toEqual([
    midnight + 900_000,
    midnight + 900_000,
  ]);
  expect(steps[0]).toMatchObject({ durationMs: 900_000, sampleKind: 'sample' });
});

describe('a night', () => {
  const night = {
    ...begin,
    startTimeInSeconds: DAY - 3_600,
    calendarDate: '2025-05-10',
    summaryId: 'x-1',
    durationInSeconds: 26_400,
    deepSleepDurationInSeconds: 5_400,
    lightSleepDurationInSeconds: 15_000,
    remSleepInSeconds: 6_000,
    awakeDurationInSeconds: 1_200,
    unmeasurableSleepInSeconds: 0,
    validation: 'ENHANCED_FINAL',
  };

  it('includes awake time in the time in bed', () => {
    const { nights } = read('sleeps', night);
    expect(nights).toMatchObject([{ asleepSeconds: 26_400, inBedSeconds: 27_600, awakeSeconds: 1_200, isNap: false }]);
    expect(nights[0]?.efficiencyPercent).toBeCloseTo(95.65, 2);
    expect(nights[0]!.endMs - nights[0]!.startMs).toBe(27_600_000);
    expect(read('sleeps', { ...night, durationInSeconds: 27_600 }).nights).toMatchObject([{ inBedSeconds: 27_600 }]);
  });

  it('treats a tentative night as older than a final night', () => {
    const [tentative, final] = read(
      'sleeps',
      { ...night, summaryId: 'x-0', validation: 'AUTO_TENTATIVE' },
      night,
    ).items;
    expect(tentative?.key).toBe(final?.key);
    expect(final?.version).toBeGreaterThan(tentative?.version ?? 9);
    expect(final?.exclusive?.rank).toBeGreaterThan(tentative?.exclusive?.rank ?? 9);
  });

  it("stores the vendor's words for the score and its validation", () => {
    const overall = { overallSleepScore: { value: 83, qualifierKey: 'GOOD' } };
    const { scores } = read('sleeps', {
      ...night,
      ...overall,
      sleepScores: { remPercentage: { qualifierKey: 'FAIR' } },
    });
    expect(scores).toMatchObject([
      { category: 'sleep', value: 83, qualifier: 'Good', externalId: `sleep/${DAY - 3_600}` },
    ]);
    expect(scores[0]?.components).toEqual({
      remPercentage: { value: null, qualifier: 'Fair' },
      validation: { value: null, qualifier: 'ENHANCED_FINAL' },
    });
  });

  it('keeps a nap that starts in the same second as the night', () => {
    const nap = {
      napStartTimeInSeconds: DAY - 3_600,
      napDurationInSeconds: 1_500,
      napOffsetInSeconds: 3_600,
      napValidation: 'MANUAL',
    };
    const { nights } = read('sleeps', { ...night, naps: [nap, { napDurationInSeconds: 9 }] });
    expect(nights.map(({ isNap, offsetMinutes, externalId }) => [isNap, offsetMinutes, externalId])).toEqual([
      [false, 120, 'x-1'],
      [true, 60, `nap/${DAY - 3_600}`],
    ]);
  });

  it('orders stages, with unmeasurable time as unknown', () => {
    const at = (from: number, to: number) => ({
      startTimeInSeconds: DAY - 3_600 + from,
      endTimeInSeconds: DAY - 3_600 + to,
    });
    const sleepLevelsMap = {
      deep: [at(600, 1_200)],
      light: [at(0, 600)],
      unmeasurable: [at(1_200, 1_300)],
      odd: [at(0, 1)],
      rem: [at(9, 9)],
    };
    const { nights } = read('sleeps', { ...night, sleepLevelsMap });
    expect(nights[0]?.stages?.map(({ stage }) => stage)).toEqual(['light', 'deep', 'unknown']);
  });

  it('reads plausible saturations as percentages', () => {
    const { samples, noValue } = read('sleeps', {
      ...night,
      timeOffsetSleepSpo2: { 0: 0.96, 60: 0, 120: 101, 180: 97 },
    });
    expect(samples.map(({ value }) => value)).toEqual([96, 97]);
    expect(noValue).toBe(2);
  });
});

describe('the summary reader', () => {
  it('ignores negative stress', () => {
    const timeOffsetStressLevelValues = { 0: 18, 180: -2, 360: -5 };
    const { samples, noValue } = read('stressDetails', { ...begin, timeOffsetStressLevelValues });
    expect(samples).toMatchObject([{ code: 'garmin_stress_level', value: 18 }]);
    expect(noValue).toBe(2);
  });

  it('scores the highest battery level', () => {
    const timeOffsetBodyBatteryValues = { 0: 55, 180: 71, 360: 12 };
    const details = { ...begin, calendarDate: '2025-05-10', timeOffsetBodyBatteryValues };
    const { samples, scores } = read('stressDetails', details);
    expect(samples.map(({ code, value }) => `${code} ${value}`)).toEqual([
      'garmin_body_battery 55',
      'garmin_body_battery 71',
      'garmin_body_battery 12',
    ]);
    expect(scores).toMatchObject([{ category: 'body_battery', value: 71, externalId: 'body_battery/2025-05-10' }]);
  });

  it("stores a night's average variability next to the five-minute values", () => {
    const { samples } = read('hrv', { ...begin, durationInSeconds: 28_800, lastNightAvg: 52, hrvValues: { 300: 47 } });
    expect(samples.map(({ code, value, sampleKind, startMs }) => [code, value, sampleKind, startMs])).toEqual([
      ['heart_rate_variability_rmssd', 47, 'sample', midnight + 300_000],
      ['heart_rate_variability_rmssd', 52, 'aggregate', midnight + 28_799_000],
    ]);
  });

  it('reads the measured values of a scale, weight in kilograms', () => {
    const scale = {
      measurementTimeInSeconds: DAY,
      measurementTimeOffsetInSeconds: 7_200,
      weightInGrams: 71_250,
      bodyFatInPercent: 18.4,
    };
    expect(read('bodyComps', scale).samples.map(({ code, value }) => `${code} ${value}`)).toEqual([
      'weight 71.25',
      'body_fat_percentage 18.4',
    ]);
  });

  it('ignores breathing rates of 0 or less', () => {
    const breaths = read('allDayRespiration', { ...begin, timeOffsetEpochToBreaths: { 0: 14.2, 60: 0, 120: -1 } });
    expect(breaths).toMatchObject({ samples: [{ value: 14.2 }], noValue: 2 });
  });

  it('stores a skin temperature deviation as its own series', () => {
    expect(read('skinTemp', { ...begin, avgDeviationCelsius: -0.4 }).samples).toMatchObject([
      { code: 'skin_temperature_deviation', value: -0.4 },
    ]);
  });

  it('timestamps metrics at noon of their date', () => {
    expect(read('userMetrics', { calendarDate: '2025-05-10', vo2Max: 51, fitnessAge: 30 }).samples).toMatchObject([
      { code: 'vo2_max', value: 51, startMs: noon },
      { code: 'garmin_fitness_age', value: 30, startMs: noon },
    ]);
    expect(read('userMetrics', { vo2Max: 51 }).rejections.first).toMatchObject([{ field: 'calendarDate' }]);
  });

  it('stores one average per measurement of a snapshot', () => {
    const one = (summaryType: string, avgValue: number) => ({ summaryType, avgValue });
    const summaries = [
      one('heart_rate', 58),
      one('rmssd_hrv', 40),
      one('sdrr_hrv', 55),
      one('spo2', 97),
      one('later', 1),
    ];
    const { samples } = read('healthSnapshot', {
      ...begin,
      offsetStartTimeInSeconds: 3_600,
      summaryId: 'h',
      summaries,
    });
    expect(samples.map(({ code, offsetMinutes }) => [code, offsetMinutes])).toEqual([
      ['heart_rate', 60],
      ['heart_rate_variability_rmssd', 60],
      ['heart_rate_variability_sdnn', 60],
      ['oxygen_saturation', 60],
    ]);
  });

  it('treats a later update of a cycle as newer', () => {
    const cycle = {
      summaryId: 'mct-1',
      periodStartDate: '2025-05-01',
      cycleLength: 28,
      dayInCycle: 10,
      lastUpdatedTimeInSeconds: DAY,
    };
    const { cycles, items } = read('mct', cycle, { ...cycle, dayInCycle: 11, lastUpdatedTimeInSeconds: DAY + 1 });
    expect(cycles[0]).toMatchObject({
      externalId: 'mct-1',
      startMs: Date.parse('2025-05-01'),
      endMs: Date.parse('2025-05-29'),
    });
    expect(cycles[0]?.details).toMatchObject({ day_in_cycle: 10, cycle_length: 28 });
    expect(items[1]?.version).toBeGreaterThan(items[0]?.version ?? 0);
  });

  it('ends a pregnancy at its due date', () => {
    const pregnancySnapshot = { pregnancyCycleStartDate: '2025-01-01', dueDate: '2025-10-08', numOfBabies: 'SINGLE' };
    const { cycles } = read('mct', { summaryId: 'p', pregnancySnapshot });
    expect(cycles).toMatchObject([{ startMs: Date.parse('2025-01-01'), endMs: Date.parse('2025-10-08') }]);
    expect(cycles[0]?.details.pregnancy_snapshot).toEqual([pregnancySnapshot]);
  });
});
