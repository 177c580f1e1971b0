import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { head, type LifeDay } from './life-day.js';
import type { GarminItem } from './wire-types.js';

const SPORTS = ['RUNNING', 'CYCLING', 'LAP_SWIMMING', 'STRENGTH_TRAINING', 'HIKING_V2'] as const;
const RECORDED_EVERY_SECONDS = 20;

/** Returns an evening activity: its summary, and its seconds unless it was entered manually. */
export function activityOf(life: LifeDay): { summary: GarminItem; details: GarminItem | undefined; isManual: boolean } {
  const { random, day } = life;
  const startMs = day.startMs + 17 * MS_PER_HOUR + random.integer(0, 50) * MS_PER_MINUTE;
  const minutes = random.integer(25, 80);
  const sport = SPORTS[random.integer(0, SPORTS.length - 1)] as string;
  const isManual = random.chance(0.2);
  const activityId = 19_000_000_000 + day.number * 100 + random.integer(0, 99);
  const meters = random.integer(2_000, 15_000);
  const average = random.integer(110, 155);
  const { calendarDate: _, ...begin } = head(life, 'a', startMs, minutes * MS_PER_MINUTE);
  const summary: GarminItem = {
    ...begin,
    summaryId: String(activityId),
    activityId,
    activityName: 'An evening out',
    activityType: sport,
    distanceInMeters: meters,
    activeKilocalories: random.integer(150, 900),
    deviceName: isManual ? 'unknown' : 'Forerunner 265',
    manual: isManual,
    ...(!isManual && {
      steps: random.integer(100, 9_000),
      averageHeartRateInBeatsPerMinute: average,
      maxHeartRateInBeatsPerMinute: average + random.integer(10, 35),
      averageSpeedInMetersPerSecond: Math.round((meters / minutes / 60) * 100) / 100,
      maxSpeedInMetersPerSecond: Math.round((meters / minutes / 60) * 140) / 100,
      averageRunCadenceInStepsPerMinute: random.integer(150, 178),
      totalElevationGainInMeters: random.integer(5, 200),
    }),
  };
  if (isManual) return { summary, details: undefined, isManual };
  const startSeconds = startMs / 1000;
  const samples = Array.from({ length: Math.floor((minutes * 60) / RECORDED_EVERY_SECONDS) }, (_, at) => ({
    startTimeInSeconds: startSeconds + at * RECORDED_EVERY_SECONDS,
    latitudeInDegree: 50.06 + at * 0.0001,
    longitudeInDegree: 19.94 + at * 0.0001,
    elevationInMeters: 210 + random.integer(0, 40),
    airTemperatureCelcius: 18,
    heartRate: average + random.integer(-15, 15),
    speedMetersPerSecond: Math.round(random.between(2, 4) * 100) / 100,
    stepsPerMinute: random.integer(150, 175),
    powerInWatts: random.integer(150, 320),
    timerDurationInSeconds: at * RECORDED_EVERY_SECONDS,
    movingDurationInSeconds: at * RECORDED_EVERY_SECONDS,
  }));
  const laps = [0, Math.floor(minutes / 2) * 60].map((after) => ({ startTimeInSeconds: startSeconds + after }));
  const details = { summaryId: `${activityId}-detail`, activityId, summary, samples, laps };
  return { summary, details, isManual };
}
