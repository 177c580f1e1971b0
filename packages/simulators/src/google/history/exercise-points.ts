import { MS_PER_MINUTE } from '@healthd/model';
import type { Calendar } from '../../calendar.js';
import { Random } from '../../random.js';
import type { JsonObject } from '../point-types.js';
import { wireDuration, wireInstant } from '../wire-times.js';
import { iso, type KnownPoint, rounded } from './known-point.js';
import type { LifeDay, Workout } from './life-day.js';

/** Returns the watch's workout. Some workouts also have a second record from a phone app. */
export function exercisePoints({ seed, day, workout }: LifeDay, calendar: Calendar): KnownPoint[] {
  if (!workout) return [];
  const random = new Random(seed, day.number, 'exercise');
  const { startMs, endMs } = workout;
  const knownMs = endMs + 20 * MS_PER_MINUTE;
  const ids = [random.integer(9 * 10 ** 10, 10 ** 11), random.integer(7 * 10 ** 10, 8 * 10 ** 10)].map(String);
  const value = members(workout, random, calendar);
  const point = { dataType: 'exercise', startTime: iso(startMs), endTime: iso(endMs), value } as const;
  const points: KnownPoint[] = [{ knownMs, point: { ...point, id: ids[0], source: 'watch' } }];
  if (workout.recordedTwice) {
    const times = { startTime: iso(startMs + 15_000), endTime: iso(endMs + 50_000) };
    const sparse = { exerciseType: workout.type, activeDuration: wireDuration((endMs - startMs + 35_000) / 1000) };
    points.push({ knownMs, point: { ...point, ...times, value: sparse, id: ids[1], source: 'journal' } });
  }
  return points;
}

function members(workout: Workout, random: Random, calendar: Calendar): JsonObject {
  const { startMs, endMs, pause } = workout;
  const activeSeconds = (endMs - startMs - (pause ? pause.endMs - pause.startMs : 0)) / 1000;
  const minutes = activeSeconds / 60;
  const millimeters = Math.round(workout.metersPerMinute * random.between(0.93, 1.07) * minutes) * 1000;
  const event = (atMs: number, exerciseEventType: string) => ({
    eventTime: wireInstant(atMs),
    eventUtcOffset: wireDuration(calendar.offsetAt(atMs) * 60),
    exerciseEventType,
  });
  const pauses = pause ? [event(pause.startMs, 'PAUSE'), event(pause.endMs, 'RESUME')] : [];
  return {
    exerciseType: workout.type,
    displayName: workout.displayName,
    activeDuration: wireDuration(activeSeconds),
    metricsSummary: {
      caloriesKcal: rounded((workout.kcalPerMinute + 1.1) * minutes, 1),
      steps: Math.round(workout.stepsPerMinute * minutes),
      averageHeartRateBeatsPerMinute: Math.round(workout.heartRate * 0.97),
      elevationGainMillimeters: workout.climbs ? random.integer(4, 120) * 1000 : undefined,
      ...covered(millimeters, activeSeconds),
    },
    exerciseEvents: [event(startMs, 'START'), ...pauses, event(endMs, 'STOP')],
    exerciseMetadata: { hasGps: workout.climbs },
    createTime: iso(endMs + 2 * MS_PER_MINUTE),
    updateTime: iso(endMs + 2 * MS_PER_MINUTE),
  };
}

function covered(millimeters: number, activeSeconds: number): JsonObject {
  if (millimeters === 0) return {};
  return {
    distanceMillimeters: millimeters,
    averageSpeedMillimetersPerSecond: rounded(millimeters / activeSeconds, 1),
    averagePaceSecondsPerMeter: rounded((activeSeconds * 1000) / millimeters, 4),
  };
}
