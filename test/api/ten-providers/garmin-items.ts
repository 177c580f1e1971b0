import type { GarminItems } from '@healthd/simulators';
import { dateOf, HOME, midnight, placeOf, utc } from './days.js';
import { daysOf, seconds } from './reported.js';
import { sleepsOf } from './sleeps.js';
import { REPORTED_RUN } from './truth.js';
import { MEASURED } from './vitals.js';

/**
 * Returns the bodies of Garmin's pushes. The night's first version is tentative and ends at another time than the final
 * version.
 */
export function garminItems(): GarminItems {
  const { resting, rmssd, oxygen, sleepScores, stress, weight } = MEASURED.garmin;
  const offset = { startTimeOffsetInSeconds: HOME.offsetMinutes * 60 };
  const dailies = daysOf('garmin').map(
    ({ day, steps, distance, energy, basal, activeMinutes, floors, heart = [] }) => ({
      summaryId: `daily-${day}`,
      calendarDate: dateOf(day),
      startTimeInSeconds: seconds(midnight(day)),
      startTimeOffsetInSeconds: placeOf(day).offsetMinutes * 60,
      durationInSeconds: 86_400,
      steps: steps?.total,
      distanceInMeters: distance?.total,
      activeKilocalories: energy?.total,
      bmrKilocalories: basal?.total,
      activeTimeInSeconds: activeMinutes === undefined ? undefined : activeMinutes * 60,
      floorsClimbed: floors,
      restingHeartRateInBeatsPerMinute: resting[day],
      averageStressLevel: stress[day],
      timeOffsetHeartRateSamples: Object.fromEntries(
        heart.map(([clock, bpm]) => [String(seconds(utc(day, clock) - midnight(day))), bpm]),
      ),
    }),
  );
  const epochs = daysOf('garmin').flatMap(({ day, steps, distance, energy }) =>
    (steps?.pieces ?? []).map(([clock, minutes, count], at) => ({
      summaryId: `epoch-${day}-${at}`,
      startTimeInSeconds: seconds(utc(day, clock)),
      ...offset,
      durationInSeconds: minutes * 60,
      activityType: 'WALKING',
      steps: count,
      distanceInMeters: distance?.pieces?.[at]?.[2],
      activeKilocalories: energy?.pieces?.[at]?.[2],
    })),
  );
  const nights = sleepsOf('garmin');
  const final = nights.map((night) => {
    const fromStart = (clock: string) => String(seconds(utc(night.reported.day, clock) - night.startMs));
    return {
      summaryId: `final-${night.id}`,
      calendarDate: dateOf(night.reported.day),
      startTimeInSeconds: seconds(night.startMs),
      ...offset,
      durationInSeconds: seconds(night.endMs - night.startMs),
      deepSleepDurationInSeconds: night.minutes.deep * 60,
      lightSleepDurationInSeconds: night.minutes.light * 60,
      remSleepInSeconds: night.minutes.rem * 60,
      awakeDurationInSeconds: night.minutes.awake * 60,
      validation: 'ENHANCED_FINAL',
      sleepLevelsMap: Object.fromEntries(
        Object.keys(night.minutes).map((name) => [
          name,
          night.stages
            .filter(({ stage }) => stage === name)
            .map(({ startMs, endMs }) => ({ startTimeInSeconds: seconds(startMs), endTimeInSeconds: seconds(endMs) })),
        ]),
      ),
      overallSleepScore: { value: sleepScores[night.reported.day], qualifierKey: 'GOOD' },
      timeOffsetSleepSpo2: Object.fromEntries(oxygen.map(([clock, value]) => [fromStart(String(clock)), value])),
    };
  });
  const tentative = final.map((night) => ({
    ...night,
    summaryId: `tentative-${night.calendarDate}`,
    startTimeInSeconds: night.startTimeInSeconds - 900,
    durationInSeconds: night.durationInSeconds - 1_800,
    sleepLevelsMap: undefined,
    validation: 'ENHANCED_TENTATIVE',
  }));
  const variability = nights.map(({ startMs, endMs, reported }) => ({
    summaryId: `hrv-${reported.day}`,
    calendarDate: dateOf(reported.day),
    startTimeInSeconds: seconds(startMs),
    ...offset,
    durationInSeconds: seconds(endMs - startMs),
    lastNightAvg: rmssd.night,
    hrvValues: Object.fromEntries(
      rmssd.readings.map(([clock, value]) => [String(seconds(utc(reported.day, String(clock)) - startMs)), value]),
    ),
  }));
  const { start, meters, kcal, ascent, bpm, seconds: length } = REPORTED_RUN.garmin;
  const [weighed, clock, kilograms] = weight;
  return {
    sleeps: [...tentative, ...final],
    dailies,
    epochs,
    hrv: variability,
    bodyComps: [
      {
        summaryId: 'scale',
        measurementTimeInSeconds: seconds(utc(weighed, clock)),
        measurementTimeOffsetInSeconds: offset.startTimeOffsetInSeconds,
        weightInGrams: kilograms * 1_000,
      },
    ],
    activities: [
      {
        summaryId: '77001',
        activityId: 77_001,
        activityType: 'RUNNING',
        deviceName: 'Forerunner 265',
        startTimeInSeconds: seconds(utc(1, start)),
        ...offset,
        durationInSeconds: length,
        distanceInMeters: meters,
        activeKilocalories: kcal,
        totalElevationGainInMeters: ascent,
        averageHeartRateInBeatsPerMinute: bpm,
      },
    ],
  };
}
