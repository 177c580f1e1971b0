import { MS_PER_HOUR } from '@healthd/model';
import type { Account } from './account.js';
import { dataTypeCalled } from './data-types.js';
import { LISTED, type PointStore, RECONCILED } from './point-store.js';
import type { Json, JsonObject } from './point-types.js';
import { windowValue } from './roll-up-values.js';
import { dateOfPoint, pointValue, type StoredPoint } from './stored-points.js';
import type { TrueExercise, TruePoint, TrueSleep, TrueWindow } from './truth-types.js';
import { pointName } from './wire-points.js';

/** Returns the final points of a type in list or reconcile, oldest first. */
export function truePoints(
  points: PointStore,
  account: Account,
  dataType: string,
  mode: 'list' | 'reconcile',
): TruePoint[] {
  dataTypeCalled(dataType);
  const stream = points.stream(account.id, dataType, mode === 'list' ? LISTED : RECONCILED);
  return stream.map((point) => ({
    name: point.type.get ? pointName(point, account.healthUserId) : undefined,
    startMs: point.startMs,
    endMs: point.endMs,
    utcOffsetSeconds: point.offsetStated ? point.startOffsetSeconds : undefined,
    date: dateOfPoint(point),
    value: pointValue(point),
    members: point.members,
    source: mode === 'list' ? point.source.key : undefined,
  }));
}

/** Returns roll-ups by UTC hour or by local date, oldest first; empty for types without roll-ups. */
export function trueWindows(
  points: PointStore,
  account: Account,
  dataType: string,
  mode: 'hourly' | 'daily',
): TrueWindow[] {
  const type = dataTypeCalled(dataType);
  const groups = new Map<string, StoredPoint[]>();
  for (const point of points.stream(account.id, dataType, RECONCILED)) {
    const key = mode === 'daily' ? dateOfPoint(point) : String(Math.floor(point.startMs / MS_PER_HOUR));
    const group = groups.get(key);
    if (group) group.push(point);
    else groups.set(key, [point]);
  }
  const windows = [...groups].flatMap(([key, group]) => {
    const value = windowValue(type, group);
    if (!value) return [];
    if (mode === 'hourly')
      return [{ startMs: Number(key) * MS_PER_HOUR, endMs: (Number(key) + 1) * MS_PER_HOUR, ...value }];
    const { startMs, endMs } = account.calendar.day(key);
    return [{ startMs, endMs, date: key, ...value }];
  });
  return windows.sort((a, b) => a.startMs - b.startMs);
}

/** Returns the sleep sessions of the merged stream. */
export function trueSleeps(points: PointStore, account: Account): TrueSleep[] {
  return points.stream(account.id, 'sleep', RECONCILED).map((point) => {
    const { startMs, endMs, members, offsetStated, startOffsetSeconds, endOffsetSeconds } = point;
    const summary = object(members.summary);
    const metadata = object(members.metadata);
    const stages = list(members.stages).map((stage) => ({
      type: String(stage.type),
      startMs: Date.parse(String(stage.startTime)),
      endMs: Date.parse(String(stage.endTime)),
    }));
    return {
      name: pointName(point, account.healthUserId),
      date: account.calendar.dateOf(endMs),
      startMs,
      endMs,
      startOffsetSeconds: offsetStated ? startOffsetSeconds : undefined,
      endOffsetSeconds: offsetStated ? endOffsetSeconds : undefined,
      nap: metadata.nap === true,
      processed: metadata.processed === true,
      minutesInBed: Number(summary.minutesInSleepPeriod ?? 0),
      minutesAsleep: Number(summary.minutesAsleep ?? 0),
      minutesAwake: Number(summary.minutesAwake ?? 0),
      stageMinutes: Object.fromEntries(list(summary.stagesSummary).map(({ type, minutes }) => [type, Number(minutes)])),
      stages,
    };
  });
}

/** Returns the exercises of the merged stream. */
export function trueExercises(points: PointStore, account: Account): TrueExercise[] {
  return points.stream(account.id, 'exercise', RECONCILED).map((point) => {
    const metrics = object(point.members.metricsSummary);
    const number = (name: string) => (metrics[name] === undefined ? undefined : Number(metrics[name]));
    return {
      name: pointName(point, account.healthUserId),
      type: String(point.members.exerciseType),
      startMs: point.startMs,
      endMs: point.endMs,
      date: dateOfPoint(point),
      activeSeconds: Number.parseFloat(String(point.members.activeDuration)),
      energyKcal: number('caloriesKcal'),
      distanceMillimeters: number('distanceMillimeters'),
      steps: number('steps'),
      averageHeartRate: number('averageHeartRateBeatsPerMinute'),
      elevationGainMillimeters: number('elevationGainMillimeters'),
    };
  });
}

function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}
