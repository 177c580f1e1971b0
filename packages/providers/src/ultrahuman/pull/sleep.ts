import {
  brokenLength,
  dayStartMs,
  fromDayNumber,
  type HealthRecord,
  MS_PER_HOUR,
  MS_PER_SECOND,
  SECONDS_PER_MINUTE,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  type SleepStage,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../device-push/index.js';
import { intervalProblem } from '../../interval.js';
import { amountOf, type DayMetrics } from './day-metrics.js';
import type { RingDay } from './local-day.js';
import { RING, replacedAround } from './source.js';

const STAGES: Readonly<Record<string, SleepStage>> = { deep: 'deep', light: 'light', rem: 'rem', awake: 'awake' };
/** Around the midnight of a day without a night, where one that is gone began. */
const NIGHT_MS = 6 * MS_PER_HOUR;

/** The main sleep of a day, which is known by its date; undefined where there is none that can be stored. */
export function sleepOf({ metrics }: DayMetrics, ringDay: RingDay, tally: Tally): SleepSessionRecord | undefined {
  const sleep = metrics.get('sleep');
  if (sleep?.bedtime_start === undefined || sleep.bedtime_start === null) return undefined;
  const index = tally.next();
  const span = { startMs: msOf(sleep.bedtime_start), endMs: msOf(sleep.bedtime_end) };
  const problem = intervalProblem(span.startMs, span.endMs);
  if (problem) {
    tally.reject(index, problem.field === 'startDate' ? 'bedtime_start' : 'bedtime_end', problem.code);
    return undefined;
  }
  const bound = brokenLength(span, SLEEP_LENGTH);
  if (bound !== undefined) {
    tally.reject(index, 'bedtime_end', 'implausible', bound);
    return undefined;
  }
  const inBed = inBedSeconds(sleep) ?? (span.endMs - span.startMs) / MS_PER_SECOND;
  const [deep, light, rem, awake] = ['deep', 'light', 'rem', 'awake'].map((stage) => stageSeconds(sleep, stage));
  return {
    kind: 'sleep_session',
    source: RING,
    externalId: `sleep-${fromDayNumber(ringDay.day)}`,
    ...span,
    offsetMinutes: ringDay.offsetAt(span.endMs),
    isNap: false,
    asleepSeconds: asleepSeconds([deep, light, rem], inBed, awake),
    inBedSeconds: inBed,
    awakeSeconds: awake,
    lightSeconds: light,
    deepSeconds: deep,
    remSeconds: rem,
    efficiencyPercent: quickMetric(sleep, 'sleep_efic') ?? amountOf(sleep.sleep_efficiency),
    stages: stagesOf(sleep, span.endMs),
  };
}

/** What is gone of a day that came without a night. */
export function lostNight({ day, offsetAt }: RingDay): HealthRecord[] {
  const offset = offsetAt(dayStartMs(day));
  if (offset === undefined) return [];
  const midnightMs = dayStartMs(day, offset);
  const night = { startMs: midnightMs - NIGHT_MS, endMs: midnightMs + NIGHT_MS };
  return [{ ...replacedAround(day), ...night, of: 'sleep_sessions' }];
}

function asleepSeconds(
  stages: readonly (number | undefined)[],
  inBed: number,
  awake: number | undefined,
): number | undefined {
  const known = stages.filter((stage) => stage !== undefined);
  const sum = known.reduce((total, stage) => total + stage, 0);
  if (sum > 0) return sum;
  return awake === undefined ? undefined : Math.max(0, inBed - awake);
}

function stageSeconds({ sleep_stages: stages }: PayloadObject, name: string): number | undefined {
  const found = (Array.isArray(stages) ? stages : []).find((one) => isObject(one) && stageName(one.type) === name);
  return isObject(found) ? numberOf(found.stage_time) : undefined;
}

function inBedSeconds(sleep: PayloadObject): number | undefined {
  const quick = quickMetric(sleep, 'time_in_bed');
  if (quick !== undefined) return quick;
  const minutes = isObject(sleep.time_in_bed) ? numberOf(sleep.time_in_bed.minutes) : undefined;
  return minutes === undefined ? undefined : minutes * SECONDS_PER_MINUTE;
}

function quickMetric({ quick_metrics: metrics }: PayloadObject, type: string): number | undefined {
  const found = (Array.isArray(metrics) ? metrics : []).find((one) => isObject(one) && one.type === type);
  const value = isObject(found) ? numberOf(found.value) : undefined;
  return value !== undefined && value > 0 ? value : undefined;
}

/** Names come with or without `_sleep`. */
function stageName(type: unknown): string | undefined {
  return typeof type === 'string' ? type.toLowerCase().replace(/_sleep$/, '') : undefined;
}

/** The graph, whose members have had two names each. */
function stagesOf({ sleep_graph: graph }: PayloadObject, nightEndMs: number) {
  const data = isObject(graph) && Array.isArray(graph.data) ? graph.data : [];
  const stages = data.filter(isObject).flatMap((piece) => {
    const stage = STAGES[stageName(piece.type) ?? ''];
    const startMs = msOf(piece.start ?? piece.startTime);
    const endMs = Math.min(msOf(piece.end ?? piece.endTime), nightEndMs);
    return stage === undefined || !(startMs < endMs) ? [] : [{ stage, startMs, endMs }];
  });
  return stages.length > 0 ? stages : undefined;
}

/** NaN for what is no number of seconds. */
function msOf(seconds: unknown): number {
  return (numberOf(seconds) ?? Number.NaN) * MS_PER_SECOND;
}
