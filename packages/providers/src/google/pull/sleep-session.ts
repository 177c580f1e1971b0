import { round, SECONDS_PER_MINUTE, type SleepSessionRecord, type SleepStage } from '@healthd/model';
import { isObject } from '../../payload/index.js';
import { instantMs, numberAt, objectsOf, offsetMinutes } from './member-values.js';
import type { SessionPoint } from './session-point.js';

const STAGES: Readonly<Record<string, SleepStage>> = {
  AWAKE: 'awake',
  LIGHT: 'light',
  DEEP: 'deep',
  REM: 'rem',
  ASLEEP: 'sleeping',
};

type Stages = NonNullable<SleepSessionRecord['stages']>;
type Seconds = Partial<Record<SleepStage, number>>;

/**
 * Maps a night or nap. Prefers the vendor's sums to sums of its stages. A session whose stages are not computed yet is
 * stored too. The complete session later replaces it under the same id.
 */
export function sleepSession(point: SessionPoint): SleepSessionRecord {
  const { payload, source, externalId, startMs, endMs } = point;
  const stages = stagesOf(payload.stages, point);
  const durations = durationsOf(point, stages);
  const { asleepSeconds, inBedSeconds } = durations;
  const isKnown = asleepSeconds !== undefined && inBedSeconds !== undefined && inBedSeconds > 0;
  return {
    kind: 'sleep_session',
    source,
    externalId,
    startMs,
    endMs,
    // The clock at waking determines a night's date.
    offsetMinutes: point.endOffset ?? offsetOfStages(payload.stages) ?? point.startOffset,
    // The vendor omits members that are false.
    isNap: isObject(payload.metadata) && payload.metadata.nap === true,
    ...durations,
    efficiencyPercent: isKnown ? round((asleepSeconds / inBedSeconds) * 100, 1) : undefined,
    stages: stages.length > 0 ? stages : undefined,
  };
}

function durationsOf({ payload, startMs, endMs }: SessionPoint, stages: Stages): Partial<SleepSessionRecord> {
  const summary = isObject(payload.summary) ? payload.summary : undefined;
  const inBed = summary && numberAt(summary, 'minutesInSleepPeriod');
  const perStage = summarySeconds(summary?.stagesSummary) ?? stageSeconds(stages);
  const hasStages = perStage.light !== undefined || perStage.deep !== undefined || perStage.rem !== undefined;
  if (summary === undefined || inBed === undefined) {
    const wholeSeconds = (endMs - startMs) / 1000;
    if (stages.length === 0) return { inBedSeconds: wholeSeconds };
    const { light = 0, deep = 0, rem = 0, sleeping = 0, awake = 0 } = perStage;
    const asleepSeconds = light + deep + rem + sleeping;
    return {
      asleepSeconds,
      inBedSeconds: wholeSeconds,
      awakeSeconds: awake,
      ...(hasStages && { ...staged(perStage) }),
    };
  }
  // If the summary has a total, a missing sum means zero.
  const awakeMinutes = numberAt(summary, 'minutesAwake') ?? 0;
  return {
    asleepSeconds: (numberAt(summary, 'minutesAsleep') ?? 0) * SECONDS_PER_MINUTE,
    inBedSeconds: inBed * SECONDS_PER_MINUTE,
    awakeSeconds: perStage.awake ?? awakeMinutes * SECONDS_PER_MINUTE,
    ...(hasStages && staged(perStage)),
  };
}

/** Sets missing stages to zero, because a night with stages had no sleep of the missing types. */
function staged({ light = 0, deep = 0, rem = 0 }: Seconds) {
  return { lightSeconds: light, deepSeconds: deep, remSeconds: rem };
}

/** Returns the seconds by stage; undefined if no entry has a known stage. Repeated entries count once. */
function summarySeconds(list: unknown): Seconds | undefined {
  const seconds: Seconds = {};
  for (const entry of objectsOf(list)) {
    const stage = stageOf(entry.type);
    if (stage !== 'unknown') seconds[stage] = (numberAt(entry, 'minutes') ?? 0) * SECONDS_PER_MINUTE;
  }
  return Object.keys(seconds).length > 0 ? seconds : undefined;
}

function stageSeconds(stages: Stages): Seconds {
  const seconds: Seconds = {};
  for (const { stage, startMs, endMs } of stages) seconds[stage] = (seconds[stage] ?? 0) + (endMs - startMs) / 1000;
  return seconds;
}

/** Returns the stages with a valid time in order of time, limited to the session. */
function stagesOf(list: unknown, session: SessionPoint): Stages {
  return objectsOf(list)
    .map((stage) => ({
      stage: stageOf(stage.type),
      startMs: Math.max(instantMs(stage.startTime), session.startMs),
      endMs: Math.min(instantMs(stage.endTime), session.endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
    .sort((a, b) => a.startMs - b.startMs);
}

/** Returns the last offset of the stages, for a session without an offset at waking. */
function offsetOfStages(list: unknown): number | undefined {
  return objectsOf(list)
    .map((stage) => ({
      endMs: instantMs(stage.endTime),
      offset: offsetMinutes(stage.endUtcOffset) ?? offsetMinutes(stage.startUtcOffset),
    }))
    .filter(({ endMs, offset }) => offset !== undefined && !Number.isNaN(endMs))
    .sort((a, b) => a.endMs - b.endMs)
    .at(-1)?.offset;
}

/** Returns `unknown` for restless sleep, which is neither awake nor a known depth. */
function stageOf(type: unknown): SleepStage {
  return (typeof type === 'string' && Object.hasOwn(STAGES, type) && STAGES[type]) || 'unknown';
}
