import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { unreadableVersions } from '../../testing/odd-versions.js';
import { GARMIN_DELIVERIES } from '../deliveries.js';
import { read } from '../testing/read.js';

const START = 1_746_828_000; // 2025-05-10T00:00+02:00
const PLACE = {
  startTimeInSeconds: START,
  startTimeOffsetInSeconds: 7_200,
  durationInSeconds: 26_400,
  calendarDate: '2025-05-10',
};
const RUN = {
  ...PLACE,
  durationInSeconds: 2_700,
  activityType: 'RUNNING',
  activityName: 'Morning run',
  deviceName: 'Forerunner 265',
  distanceInMeters: 8_050,
  activeKilocalories: 530,
  steps: 7_400,
  averageHeartRateInBeatsPerMinute: 148,
  maxHeartRateInBeatsPerMinute: 171,
  averageSpeedInMetersPerSecond: 2.98,
  maxSpeedInMetersPerSecond: 4.1,
  averageRunCadenceInStepsPerMinute: 164,
  totalElevationGainInMeters: 61,
  manual: true,
  isParent: false,
};
const LAPS = [{ startTimeInSeconds: START + 60 }];
const SAMPLES = [
  {
    startTimeInSeconds: START + 60,
    heartRate: 140,
    speedMetersPerSecond: 3,
    stepsPerMinute: 164,
    powerInWatts: 250,
    elevationInMeters: 212,
    latitudeInDegree: 52.1,
    longitudeInDegree: 21.1,
    airTemperatureCelcius: 17,
    movingDurationInSeconds: 30,
  },
];

const ITEMS: Readonly<Record<string, object>> = {
  dailies: {
    ...PLACE,
    steps: 8_123,
    distanceInMeters: 6_110,
    activeKilocalories: 412,
    bmrKilocalories: 1_702,
    floorsClimbed: 9,
    activeTimeInSeconds: 5_400,
    pushes: 3,
    restingHeartRateInBeatsPerMinute: 51,
    averageStressLevel: 31,
    maxStressLevel: 88,
    stressDurationInSeconds: 19_200,
    restStressDurationInSeconds: 30_120,
    activityStressDurationInSeconds: 6_000,
    lowStressDurationInSeconds: 11_000,
    mediumStressDurationInSeconds: 6_200,
    highStressDurationInSeconds: 2_000,
    stressQualifier: 'balanced',
    timeOffsetHeartRateSamples: { '15': 57 },
  },
  epochs: { ...PLACE, activityType: 'WALKING', steps: 412, activeKilocalories: 18, meanHeartRateInBeatsPerMinute: 88 },
  sleeps: {
    ...PLACE,
    deepSleepDurationInSeconds: 5_400,
    lightSleepDurationInSeconds: 15_000,
    remSleepInSeconds: 6_000,
    awakeDurationInSeconds: 1_200,
    unmeasurableSleepInSeconds: 60,
    validation: 'ENHANCED_FINAL',
    sleepLevelsMap: { deep: [{ startTimeInSeconds: START, endTimeInSeconds: START + 5_400 }] },
    overallSleepScore: { value: 84, qualifierKey: 'GOOD' },
    timeOffsetSleepSpo2: { '60': 96 },
    timeOffsetSleepRespiration: { '60': 14 },
    naps: [{ napStartTimeInSeconds: START + 50_000, napDurationInSeconds: 1_500, napOffsetInSeconds: 7_200 }],
  },
  hrv: { ...PLACE, lastNightAvg: 52, hrvValues: { '300': 47 } },
  stressDetails: { ...PLACE, timeOffsetStressLevelValues: { '60': 31 }, timeOffsetBodyBatteryValues: { '60': 78 } },
  allDayRespiration: { ...PLACE, timeOffsetEpochToBreaths: { '60': 14 } },
  pulseox: { ...PLACE, timeOffsetSpo2Values: { '60': 96 } },
  bodyComps: {
    measurementTimeInSeconds: START,
    measurementTimeOffsetInSeconds: 7_200,
    weightInGrams: 80_000,
    bodyFatInPercent: 18,
    bodyMassIndex: 24,
    muscleMassInGrams: 36_000,
  },
  bloodPressures: {
    measurementTimeInSeconds: START,
    measurementTimeOffsetInSeconds: 7_200,
    systolic: 120,
    diastolic: 80,
    pulse: 60,
  },
  userMetrics: { calendarDate: '2025-05-10', vo2Max: 51, fitnessAge: 31 },
  skinTemp: { ...PLACE, avgDeviationCelsius: 0.3 },
  healthSnapshot: {
    startTimeInSeconds: START,
    offsetStartTimeInSeconds: 7_200,
    durationInSeconds: 120,
    summaries: [{ summaryType: 'heart_rate', avgValue: 61 }],
  },
  mct: {
    periodStartDate: '2025-05-10',
    dayInCycle: 3,
    currentPhase: 1,
    lengthOfCurrentPhase: 5,
    daysUntilNextPhase: 2,
    predictedCycleLength: 28,
    cycleLength: 29,
    periodLength: 5,
    fertileWindowStart: 11,
    lengthOfFertileWindow: 6,
    lastUpdatedTimeInSeconds: START,
    isPredictedCycle: false,
    hasSpecifiedCycleLength: true,
    hasSpecifiedPeriodLength: true,
    currentPhaseType: 'MENSTRUAL',
  },
  activities: { ...RUN, activityId: 19_000_000_001, laps: LAPS },
  manuallyUpdatedActivities: { ...RUN, activityId: 19_000_000_001 },
  activityDetails: { activityId: 19_000_000_001, summary: RUN, samples: SAMPLES, laps: LAPS },
};
/** Members that may contain any text. */
const TEXTS = [
  'activityType',
  'activityName',
  'deviceName',
  'summary.activityType',
  'summary.activityName',
  'summary.deviceName',
  'stressQualifier',
  'validation',
  'overallSleepScore.qualifierKey',
  'currentPhaseType',
  'activityId',
];

describe('unreadable values', () => {
  it.each(Object.entries(ITEMS))('of %s are counted by field name', (dataType, item) => {
    const readAs = (one: unknown) => {
      const { samples, nights, workouts, scores, cycles, rejections } = read(dataType, one);
      return { stored: JSON.stringify([samples, nights, workouts, scores, cycles]), rejections };
    };
    const good = readAs(item);
    expect(good.stored.length).toBeGreaterThan(20);
    expect(good.rejections.byReason).toEqual({});
    const silent = unreadableVersions(item, TEXTS).flatMap(({ member, version }) => {
      const { stored, rejections } = readAs(version);
      return stored !== good.stored && rejections.total === 0 ? [member] : [];
    });
    expect([...new Set(silent)]).toEqual([]);
  });

  it('in the levels of a night are counted', () => {
    const night = { ...ITEMS.sleeps, sleepLevelsMap: { restless: [], deep: [{ startTimeInSeconds: 'x' }], rem: 7 } };
    expect(read('sleeps', night).rejections.byReason).toEqual({
      'not_understood:sleepLevelsMap': 1,
      'not_understood:sleepLevelsMap.deep.startTimeInSeconds': 1,
      'not_understood:sleepLevelsMap.rem': 1,
    });
  });

  it('of a summary are counted once for a split item', () => {
    const tally = new Tally('activityDetails');
    const details = { ...ITEMS.activityDetails, summary: { ...RUN, steps: 'many' } };
    const seconds = [{ ...SAMPLES[0], heartRate: 'high' }];
    for (const isLast of [false, false, true]) {
      GARMIN_DELIVERIES.records('activityDetails', { ...details, samples: seconds }, tally, { isLast, facts: {} });
    }
    expect(tally.rejections.byReason).toEqual({
      'not_understood:summary.steps': 1,
      'not_understood:samples.heartRate': 3,
    });
  });

  it('do not include null and missing values', () => {
    for (const [dataType, item] of Object.entries(ITEMS)) {
      const nulls = Object.fromEntries(
        Object.entries(item).map(([name, value]) => [name, /Time|Date|Id|summary$/.test(name) ? value : null]),
      );
      const reasons = Object.keys(read(dataType, nulls).rejections.byReason);
      expect([dataType, reasons.filter((one) => one.startsWith('not_'))]).toEqual([dataType, []]);
    }
  });
});
