import { MS_PER_MINUTE } from '@healthd/model';
import type { Calendar } from '../../calendar.js';
import { Random } from '../../random.js';
import type { JsonObject, PointInput } from '../point-types.js';
import { wireDuration, wireInstant } from '../wire-times.js';
import { iso, type KnownPoint } from './known-point.js';
import type { LifeDay, Night } from './life-day.js';

/** The tracker syncs a quarter of an hour after the user wakes up. Stages follow half an hour later. */
const SYNCED_AFTER_MS = 15 * MS_PER_MINUTE;
const PROCESSED_AFTER_MS = 45 * MS_PER_MINUTE;

/**
 * Returns the night without stages, then with stages under the same id. Some nights also have an app's record, and some
 * days have naps.
 */
export function sleepPoints(life: LifeDay, calendar: Calendar): KnownPoint[] {
  const { seed, day, night, nap } = life;
  const random = new Random(seed, day.number, 'sleep');
  const id = String(random.integer(3 * 10 ** 12, 4 * 10 ** 12));
  const points: KnownPoint[] = [
    { knownMs: night.endMs + SYNCED_AFTER_MS, point: session(id, night, unprocessed(night)) },
    { knownMs: night.endMs + PROCESSED_AFTER_MS, point: session(id, night, processed(night, calendar)) },
  ];
  if (random.chance(0.2)) {
    const copy = { startMs: night.startMs - 9 * MS_PER_MINUTE, endMs: night.endMs + 4 * MS_PER_MINUTE };
    const point = session(String(random.integer(10 ** 11, 2 * 10 ** 11)), copy, classic(copy, calendar, false));
    points.push({ knownMs: copy.endMs + SYNCED_AFTER_MS, point: { ...point, source: 'journal' } });
  }
  if (nap) {
    const napId = String(random.integer(5 * 10 ** 12, 6 * 10 ** 12));
    points.push({ knownMs: nap.endMs + SYNCED_AFTER_MS, point: session(napId, nap, classic(nap, calendar, true)) });
  }
  return points;
}

function session(id: string, { startMs, endMs }: Pick<Night, 'startMs' | 'endMs'>, value: JsonObject): PointInput {
  return { dataType: 'sleep', id, source: 'tracker', startTime: iso(startMs), endTime: iso(endMs), value };
}

function unprocessed({ startMs, endMs }: Night): JsonObject {
  const minutes = (endMs - startMs) / MS_PER_MINUTE;
  const times = { createTime: iso(endMs + SYNCED_AFTER_MS), updateTime: iso(endMs + SYNCED_AFTER_MS) };
  const summary = {
    minutesInSleepPeriod: minutes,
    minutesAsleep: minutes,
    minutesToFallAsleep: 0,
    minutesAfterWakeUp: 0,
  };
  return { type: 'CLASSIC', metadata: { mainSleep: true }, summary, ...times };
}

function processed(night: Night, calendar: Calendar): JsonObject {
  const { stages, endMs } = night;
  const awakenings = stages.filter(({ type }) => type === 'LIGHT').slice(1, 2);
  return {
    type: 'STAGES',
    stages: stages.map((stage) => wireStage(stage.type, stage.startMs, stage.endMs, calendar)),
    shortAwakenings: awakenings.map(({ startMs }) =>
      wireStage('AWAKE', startMs + MS_PER_MINUTE, startMs + 2 * MS_PER_MINUTE, calendar),
    ),
    metadata: { processed: true, mainSleep: true, stagesStatus: 'SUCCEEDED' },
    summary: summaryOf(stages, ['LIGHT', 'DEEP', 'REM']),
    createTime: iso(endMs + SYNCED_AFTER_MS),
    updateTime: iso(endMs + PROCESSED_AFTER_MS),
  };
}

function classic({ startMs, endMs }: { startMs: number; endMs: number }, calendar: Calendar, nap: boolean): JsonObject {
  const restlessMs = startMs + Math.floor((endMs - startMs) / MS_PER_MINUTE / 2) * MS_PER_MINUTE;
  const stages = [
    { type: 'ASLEEP', startMs, endMs: restlessMs },
    { type: 'RESTLESS', startMs: restlessMs, endMs: restlessMs + 2 * MS_PER_MINUTE },
    { type: 'ASLEEP', startMs: restlessMs + 2 * MS_PER_MINUTE, endMs },
  ];
  const metadata = nap ? { nap, stagesStatus: 'REJECTED_NAP' } : { mainSleep: true };
  return {
    type: 'CLASSIC',
    stages: stages.map((stage) => wireStage(stage.type, stage.startMs, stage.endMs, calendar)),
    metadata: { processed: true, ...metadata },
    summary: summaryOf(stages, ['ASLEEP']),
    createTime: iso(endMs + SYNCED_AFTER_MS),
    updateTime: iso(endMs + SYNCED_AFTER_MS),
  };
}

function summaryOf(
  stages: readonly { type: string; startMs: number; endMs: number }[],
  asleep: readonly string[],
): JsonObject {
  const byType = new Map<string, { minutes: number; count: number }>();
  for (const { type, startMs, endMs } of stages) {
    const { minutes, count } = byType.get(type) ?? { minutes: 0, count: 0 };
    byType.set(type, { minutes: minutes + (endMs - startMs) / MS_PER_MINUTE, count: count + 1 });
  }
  const minutesOf = (types: readonly string[]) =>
    types.reduce((sum, type) => sum + (byType.get(type)?.minutes ?? 0), 0);
  return {
    minutesInSleepPeriod: minutesOf([...byType.keys()]),
    minutesAsleep: minutesOf(asleep),
    minutesAwake: minutesOf(['AWAKE']),
    minutesToFallAsleep: 0,
    minutesAfterWakeUp: 0,
    stagesSummary: [...byType].map(([type, { minutes, count }]) => ({ type, minutes, count })),
  };
}

function wireStage(type: string, startMs: number, endMs: number, calendar: Calendar): JsonObject {
  return {
    startTime: wireInstant(startMs),
    startUtcOffset: wireDuration(calendar.offsetAt(startMs) * 60),
    endTime: wireInstant(endMs),
    endUtcOffset: wireDuration(calendar.offsetAt(endMs) * 60),
    type,
  };
}
