import {
  brokenLength,
  type HealthRecord,
  type HealthScoreRecord,
  MS_PER_HOUR,
  MS_PER_SECOND,
  type SampleRecord,
  type SeriesCode,
  SLEEP_LENGTH,
  type SleepSessionRecord,
} from '@healthd/model';
import { z } from 'zod';
import type { DeliveredRecords, Tally, TimeRange } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { idOf, type PayloadOf } from '../../payload/index.js';
import { offsetOfTime } from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { type WatchSample, watchSample, zonedMs } from './sample.js';
import { positive, typeIdOf } from './series.js';
import { replacedScores, replacedWindow, SUUNTO_SOURCE } from './source.js';

/**
 * A time in bed. Lengths are in seconds, times in ISO 8601 with an offset. An interim version has an id of 0, and nulls
 * or zeros for parts that the watch has not analyzed yet.
 */
const NIGHT = z.object({
  SleepId: z.union([z.number(), z.string()]),
  BedtimeStart: z.string(),
  BedtimeEnd: z.string(),
  Duration: z.number(),
  DeepSleepDuration: z.number(),
  LightSleepDuration: z.number(),
  /** Older watches do not detect REM sleep. */
  REMSleepDuration: z.number(),
  SleepOnsetLatencyDuration: z.number(),
  WakeAfterSleepOnsetDuration: z.number(),
  WakeBeforeOffBedDuration: z.number(),
  IsNap: z.boolean(),
  /** From 0 to 100. It is not an efficiency. */
  SleepQualityScore: z.number(),
  HRAvg: z.number(),
  HRMin: z.number(),
  /** RMSSD. */
  AvgHRV: z.number(),
  AvgHRVSampleCount: z.number(),
  /** The night's maximum, not its mean, as a fraction of 0..1. */
  MaxSpo2: z.number(),
});
type Night = PayloadOf<typeof NIGHT>;

/** One version of a time in bed. */
interface PlacedSleep {
  id: string;
  /** Time of the record, equal for all versions of one sleep, in milliseconds. */
  atMs: number;
  startMs: number;
  endMs: number;
  offsetMinutes: number | undefined;
  data: Night;
  /** The version of a sleep with the higher rank wins. */
  rank: number;
}

/** Series of a whole night, with their members. */
const VALUES = [
  ['resting_heart_rate', 'HRMin'],
  ['heart_rate_variability_rmssd', 'AvgHRV'],
] as const satisfies readonly (readonly [SeriesCode, keyof Night])[];

/** Series of nights. */
export const NIGHT_SERIES: readonly SeriesCode[] = VALUES.map(([code]) => code);

/**
 * Types of nightly values to delete. Includes oxygen saturation, because earlier versions of the service stored a
 * night's highest saturation as its mean.
 */
const NIGHT_TYPE_IDS = [...NIGHT_SERIES, 'oxygen_saturation' as const].map(typeIdOf);

/** Returns the values of a night, at its end. Empty for a nap. */
function nightSamples({ id, endMs, offsetMinutes, data }: PlacedSleep): SampleRecord[] {
  if (data.IsNap === true) return [];
  return VALUES.flatMap(([code, member]): SampleRecord[] => {
    const value = positive(data[member]);
    if (value === undefined) return [];
    const at = { startMs: endMs, offsetMinutes, externalId: id };
    return [{ kind: 'sample', sampleKind: 'aggregate', source: SUUNTO_SOURCE, typeId: typeIdOf(code), ...at, value }];
  });
}

const STAGES = ['DeepSleepDuration', 'LightSleepDuration', 'REMSleepDuration'] as const;

/** Longest time in bed. A sleep that ends in a window may have started this long before the window. */
export const SLEEP_REACH_MS = 36 * MS_PER_HOUR;
const MAX_SCORE = 100;
/**
 * Rank of a version with stages. Larger than the seconds of any time in bed, so that a version with stages is newer
 * than all versions without stages.
 */
const STAGES_RANK = 1_000_000;

/**
 * Returns a record's time in bed. Rejects a record without a valid time in bed and returns undefined. If the start is
 * missing, uses the record's time, which the vendor also sends as `DateTime`. Derives a missing end from the length.
 */
export function placedSleep(record: unknown, tally: Tally): PlacedSleep | undefined {
  const sample = watchSample(NIGHT, record, tally);
  if (!sample) return undefined;
  const { index } = sample;
  const data = withoutOddScore(sample, tally);
  const { BedtimeStart: start, BedtimeEnd: end, Duration: seconds = Number.NaN } = data;
  const startMs = start === undefined ? sample.atMs : zonedMs(start);
  const endMs = end === undefined ? startMs + seconds * MS_PER_SECOND : zonedMs(end);
  const problem = intervalProblem(startMs, endMs);
  if (problem) {
    return void tally.reject(index, problem.field === 'startDate' ? 'BedtimeStart' : 'BedtimeEnd', problem.code);
  }
  const bound = brokenLength({ startMs, endMs }, SLEEP_LENGTH);
  if (bound !== undefined) return void tally.reject(index, 'BedtimeEnd', 'implausible', bound);
  return {
    id: sleepId(data.SleepId, sample.atMs),
    atMs: sample.atMs,
    startMs,
    endMs,
    offsetMinutes: offsetOfTime(data.BedtimeEnd) ?? offsetOfTime(data.BedtimeStart) ?? sample.offsetMinutes,
    data,
    rank: (hasStages(data) ? STAGES_RANK : 0) + (positive(seconds) ?? (endMs - startMs) / MS_PER_SECOND),
  };
}

/** Drops a score of 0, which means no score. Drops and counts a score off the scale. */
function withoutOddScore({ index, data }: WatchSample<Night>, tally: Tally): Night {
  const { SleepQualityScore: score = 0, ...others } = data;
  if (score >= 0 && score <= MAX_SCORE) return data;
  tally.reject(index, 'SleepQualityScore', 'implausible', `score 0..${MAX_SCORE}`);
  return others;
}

/** Returns the vendor's id, a number or a text. The record's time identifies a sleep with id 0 or without an id. */
function sleepId(value: Night['SleepId'], atMs: number): string {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : idOf(value);
  return id === undefined || id === '0' ? startId(atMs) : id;
}

function startId(atMs: number): string {
  return `start/${new Date(atMs).toISOString()}`;
}

/**
 * Returns one version of each sleep. A response may contain interim versions with the same time or id as the final
 * version.
 */
export function bestSleeps(sleeps: readonly PlacedSleep[], tally: Tally): PlacedSleep[] {
  const best = bestBy(
    bestBy(sleeps, ({ atMs }) => atMs),
    ({ id }) => id,
  );
  tally.superseded += sleeps.length - best.length;
  return best;
}

function bestBy<Key>(sleeps: readonly PlacedSleep[], keyOf: (sleep: PlacedSleep) => Key): PlacedSleep[] {
  const best = new Map<Key, PlacedSleep>();
  for (const sleep of sleeps) {
    const known = best.get(keyOf(sleep));
    if (known === undefined || known.rank <= sleep.rank) best.set(keyOf(sleep), sleep);
  }
  return [...best.values()];
}

/** Returns the night or nap, its measurements, and the vendor's score. */
export function sleepRecords(sleep: PlacedSleep): HealthRecord[] {
  return [...otherVersions(sleep), session(sleep), ...nightSamples(sleep), ...sleepScores(sleep)];
}

/**
 * Deletes the versions that a final version replaces. An interim version has no id yet, and its values have a different
 * end. The vendor never deletes data, so nothing else is deleted. A version without stages is not final and deletes
 * nothing.
 */
function otherVersions({ id, atMs, startMs, endMs, data }: PlacedSleep): HealthRecord[] {
  if (!hasStages(data)) return [];
  const span = spanOf({ atMs, startMs, endMs });
  return [
    { ...replacedWindow(span), of: 'sleep_sessions' },
    {
      ...replacedWindow({ startMs: span.startMs, endMs: span.startMs + SLEEP_REACH_MS + 1 }),
      of: 'samples',
      typeIds: NIGHT_TYPE_IDS,
      sampleKinds: ['aggregate'],
      externalIds: [...new Set([id, startId(atMs)])],
    },
    replacedScores(SLEEP_SCORES, span),
  ];
}

/**
 * Returns the records of a notification. Stores a night with only a `Duration` too, because another version may never
 * arrive.
 */
export function deliveredSleep(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const sleep = placedSleep(record, tally);
  if (!sleep) return undefined;
  return { records: sleepRecords(sleep), span: spanOf(sleep), key: startId(sleep.atMs), version: sleep.rank };
}

/** Returns the range in which a sleep's versions start and end. Another version may start at a different time. */
function spanOf({ atMs, startMs, endMs }: Pick<PlacedSleep, 'atMs' | 'startMs' | 'endMs'>): TimeRange {
  return { startMs: Math.min(atMs, startMs), endMs };
}

function session({ id, startMs, endMs, offsetMinutes, data }: PlacedSleep): SleepSessionRecord {
  const [deep, light, rem] = hasStages(data) ? STAGES.map((member) => data[member]) : [];
  const figures = completeSleepSeconds({ deep, light, rem, awake: data.WakeAfterSleepOnsetDuration });
  const { asleepSeconds: asleep } = figures;
  // Uses at least the sum of the stages, because some watches report no length, or a length without the time awake.
  const known = (deep ?? 0) + (light ?? 0) + (rem ?? 0);
  const inBed = Math.max(positive(data.Duration) ?? (endMs - startMs) / MS_PER_SECOND, known);
  return {
    kind: 'sleep_session',
    source: SUUNTO_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    isNap: data.IsNap === true,
    inBedSeconds: inBed,
    ...figures,
    // Marks an interim version. It may arrive after the final version, because lists lag and notifications may be late.
    ...(!hasStages(data) && { isInterim: true as const }),
    ...(asleep !== undefined && inBed > 0 && { efficiencyPercent: Math.min(100, (100 * asleep) / inBed) }),
  };
}

/** True for a version that the watch has analyzed. An interim version has nulls or zeros. */
function hasStages(data: Night): boolean {
  return STAGES.some((member) => positive(data[member]) !== undefined);
}

/** Id prefix of sleep scores. */
const SLEEP_SCORES = 'sleep/';
/**
 * Explanations of the score, under the vendor's names: times in seconds, heart rates per minute, the highest saturation
 * as a fraction of 0..1.
 */
const COMPONENTS = [
  'SleepOnsetLatencyDuration',
  'WakeAfterSleepOnsetDuration',
  'WakeBeforeOffBedDuration',
  'HRAvg',
  'AvgHRVSampleCount',
  'MaxSpo2',
] as const satisfies readonly (keyof Night)[];

/**
 * Returns the vendor's score of a sleep, 0 to 100, at the sleep's start. Empty if the vendor reports no score. The
 * score is not an efficiency.
 */
function sleepScores({ id, startMs, offsetMinutes, data }: PlacedSleep): HealthScoreRecord[] {
  const value = positive(data.SleepQualityScore);
  if (value === undefined) return [];
  const components = COMPONENTS.flatMap((name) => {
    const component = data[name];
    return component === undefined ? [] : [[name, { value: component, qualifier: null }] as const];
  });
  return [
    {
      kind: 'health_score',
      source: SUUNTO_SOURCE,
      externalId: `${SLEEP_SCORES}${id}`,
      category: 'sleep',
      value,
      atMs: startMs,
      offsetMinutes,
      components: {
        ...Object.fromEntries(components),
        ...(data.IsNap === true && { period: { value: null, qualifier: 'nap' } }),
      },
    },
  ];
}
