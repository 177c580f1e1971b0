import type { Tally } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { type CountFault, countUnreadable, membersOf, type ReadMembers } from '../../rest/index.js';

const DATE = /^\d{4}-\d\d-\d\d$/;
const PLACE: ReadMembers = {
  ...membersOf('number', ['startTimeOffsetInSeconds', 'durationInSeconds', 'duration']),
  calendarDate: DATE,
};
const SCALE = membersOf('number', ['measurementTimeOffsetInSeconds']);
const ACTIVITY: ReadMembers = {
  ...PLACE,
  ...membersOf('number', [
    'distanceInMeters',
    'activeKilocalories',
    'steps',
    'averageHeartRateInBeatsPerMinute',
    'maxHeartRateInBeatsPerMinute',
    'averageSpeedInMetersPerSecond',
    'maxSpeedInMetersPerSecond',
    'averageRunCadenceInStepsPerMinute',
    'averageBikeCadenceInRoundsPerMinute',
    'averageBikeCadenceInRPM',
    'averageSwimCadenceInStrokesPerMinute',
    'totalElevationGainInMeters',
    'elevationGainInMeters',
  ]),
  ...membersOf('text', ['activityType', 'activityName', 'deviceName']),
  ...membersOf('boolean', ['manual', 'isParent']),
  laps: 'list',
};

/** Members that are read, by the kind of summary. What a kind cannot do without is rejected where it is read. */
const MEMBERS: Readonly<Record<string, ReadMembers>> = {
  dailies: {
    ...PLACE,
    ...membersOf('number', [
      'steps',
      'distanceInMeters',
      'activeKilocalories',
      'bmrKilocalories',
      'floorsClimbed',
      'activeTimeInSeconds',
      'pushes',
      'restingHeartRateInBeatsPerMinute',
      'averageStressLevel',
      'averageStresslevel',
      'maxStressLevel',
      'stressDurationInSeconds',
      'restStressDurationInSeconds',
      'activityStressDurationInSeconds',
      'lowStressDurationInSeconds',
      'mediumStressDurationInSeconds',
      'highStressDurationInSeconds',
    ]),
    stressQualifier: 'text',
    timeOffsetHeartRateSamples: 'object',
  },
  epochs: {
    ...PLACE,
    ...membersOf('number', [
      'steps',
      'activeKilocalories',
      'distanceInMeters',
      'meanHeartRateInBeatsPerMinute',
      'averageHeartRateInBeatsPerMinute',
    ]),
    activityType: 'text',
  },
  sleeps: {
    ...PLACE,
    ...membersOf('number', [
      'deepSleepDurationInSeconds',
      'lightSleepDurationInSeconds',
      'remSleepInSeconds',
      'awakeDurationInSeconds',
      'unmeasurableSleepInSeconds',
      'overallSleepScore.value',
    ]),
    ...membersOf('object', [
      'sleepLevelsMap',
      'overallSleepScore',
      'sleepScores',
      'timeOffsetSleepSpo2',
      'timeOffsetSleepRespiration',
    ]),
    ...membersOf('text', ['validation', 'overallSleepScore.qualifierKey']),
    naps: 'list',
  },
  hrv: { ...PLACE, lastNightAvg: 'number', hrvValues: 'object' },
  stressDetails: {
    ...PLACE,
    ...membersOf('object', ['timeOffsetStressLevelValues', 'timeOffsetBodyBatteryValues']),
  },
  allDayRespiration: { ...PLACE, timeOffsetEpochToBreaths: 'object' },
  pulseox: { ...PLACE, timeOffsetSpo2Values: 'object' },
  bodyComps: {
    ...SCALE,
    ...membersOf('number', ['weightInGrams', 'bodyFatInPercent', 'bodyMassIndex', 'muscleMassInGrams']),
  },
  bloodPressures: { ...SCALE, ...membersOf('number', ['systolic', 'diastolic', 'pulse']) },
  userMetrics: membersOf('number', ['vo2Max', 'fitnessAge']),
  skinTemp: { ...PLACE, avgDeviationCelsius: 'number' },
  healthSnapshot: { ...PLACE, offsetStartTimeInSeconds: 'number', summaries: 'list' },
  mct: {
    ...membersOf('number', [
      'dayInCycle',
      'currentPhase',
      'lengthOfCurrentPhase',
      'daysUntilNextPhase',
      'predictedCycleLength',
      'cycleLength',
      'periodLength',
      'fertileWindowStart',
      'lengthOfFertileWindow',
      'lastUpdatedTimeInSeconds',
    ]),
    ...membersOf('boolean', ['isPredictedCycle', 'hasSpecifiedCycleLength', 'hasSpecifiedPeriodLength']),
    currentPhaseType: 'text',
    pregnancySnapshot: 'object',
    'pregnancySnapshot.dueDate': DATE,
  },
  activities: ACTIVITY,
  manuallyUpdatedActivities: ACTIVITY,
  manualActivities: ACTIVITY,
  activityDetails: { summary: 'object', samples: 'list', laps: 'list' },
};

const LEVEL_NAMES: ReadonlySet<string> = new Set(['deep', 'light', 'rem', 'awake', 'unmeasurable']);
const LEVEL = membersOf('number', ['startTimeInSeconds', 'endTimeInSeconds']);
const LAP = membersOf('number', ['startTimeInSeconds']);
const SNAPSHOT: ReadMembers = {
  summaryType: /^(heart_rate|respiration|stress|spo2|pulse_ox|rmssd_hrv|sdrr_hrv)$/i,
  avgValue: 'number',
};
const SECOND = membersOf('number', [
  'startTimeInSeconds',
  'heartRate',
  'speedMetersPerSecond',
  'stepsPerMinute',
  'bikeCadenceInRPM',
  'swimCadenceInStrokesPerMinute',
  'powerInWatts',
  'elevationInMeters',
  'latitudeInDegree',
  'longitudeInDegree',
  'airTemperatureCelcius',
  'airTemperatureCelsius',
  'movingDurationInSeconds',
]);

/**
 * Counts members of an item that are there and cannot be understood, and those of its parts. The item is stored without
 * them, so that the count is their only trace.
 * @param isLast whether the item is whole, or the last of its pieces: each has all of the item but its seconds
 */
export function countUnreadableMembers(
  key: string,
  item: PayloadObject,
  { tally, index, isLast }: { tally: Tally; index: number; isLast: boolean },
): void {
  const count: CountFault = (field) => tally.rejectUnreadable(index, field);
  if (key === 'activityDetails') countParts(item.samples, 'samples', SECOND, count);
  if (!isLast) return;
  countUnreadable(item, MEMBERS[key] ?? {}, count);
  if (key === 'activityDetails' && isObject(item.summary)) {
    countUnreadable(item.summary, ACTIVITY, (field) => count(`summary.${field}`));
  }
  if (key === 'healthSnapshot') countParts(item.summaries, 'summaries', SNAPSHOT, count);
  countParts(item.laps, 'laps', LAP, count);
  if (key !== 'sleeps' || !isObject(item.sleepLevelsMap)) return;
  for (const [name, spans] of Object.entries(item.sleepLevelsMap)) {
    if (!LEVEL_NAMES.has(name)) count('sleepLevelsMap');
    else if (spans !== null && !Array.isArray(spans)) count(`sleepLevelsMap.${name}`);
    else countParts(spans, `sleepLevelsMap.${name}`, LEVEL, count);
  }
}

/** @param list anything else than a list has no parts */
function countParts(list: unknown, name: string, members: ReadMembers, count: CountFault): void {
  if (!Array.isArray(list)) return;
  for (const part of list) {
    if (isObject(part)) countUnreadable(part, members, (field) => count(`${name}.${field}`));
    else count(name);
  }
}
