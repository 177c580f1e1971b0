import {
  brokenLength,
  type HealthRecord,
  MS_PER_SECOND,
  SLEEP_LENGTH,
  type SleepStage,
  seriesTypeByCode,
} from '@healthd/model';
import { z } from 'zod';
import type { ReplacedPart } from '../../cloud/index.js';
import { idOf, isObject, type PayloadObject, type PayloadOf, textOf } from '../../payload/index.js';
import { completeSleepSeconds, type SleepSeconds } from '../../sleep-seconds.js';
import { localDateOf, msOf, type Place, placeOf } from './place.js';
import { faultOf, PLACE, readParts, type SummaryReading, summaryReader, VALUES } from './reading.js';
import { mappedSamples, positive, saturation } from './samples.js';
import { type Components, healthScore, wordsOf } from './score.js';
import { GARMIN_SOURCE, OWN } from './source.js';
import { FINAL_SLEEP, VARIABILITY_KEY, VARIABILITY_SERIES } from './variability.js';

/** A sleep. Lengths are in seconds. */
const SLEEP = PLACE.extend({
  summaryId: z.unknown(),
  /** Ends with `TENTATIVE` or `FINAL`. */
  validation: z.string(),
  deepSleepDurationInSeconds: z.number(),
  lightSleepDurationInSeconds: z.number(),
  remSleepInSeconds: z.number(),
  awakeDurationInSeconds: z.number(),
  unmeasurableSleepInSeconds: z.number(),
  /** Lists of intervals by stage name. */
  sleepLevelsMap: z.custom<PayloadObject>(isObject),
  overallSleepScore: z.object({ value: z.number(), qualifierKey: z.string() }),
  sleepScores: z.custom<PayloadObject>(isObject),
  timeOffsetSleepSpo2: VALUES,
  timeOffsetSleepRespiration: VALUES,
  naps: z.array(z.unknown()),
});
type Sleep = PayloadOf<typeof SLEEP>;

/** An interval of a stage, in epoch seconds. */
const LEVEL = z.object({ startTimeInSeconds: z.number(), endTimeInSeconds: z.number() });
/** A nap of the day. A nap without a start or a length is rejected. */
const NAP = z.object({
  napStartTimeInSeconds: z.unknown(),
  napDurationInSeconds: z.unknown(),
  napOffsetInSeconds: z.number(),
});

const STAGES: Readonly<Record<string, SleepStage>> = {
  deep: 'deep',
  light: 'light',
  rem: 'rem',
  awake: 'awake',
  unmeasurable: 'unknown',
};

/** Id of the samples in a sleep item. Samples of the whole day have a different id. */
const SAMPLES_ID = 'sleeps';
/** Prefix of the sleep score's id, which contains the sleep's start. */
const SCORE_ID = 'sleep';

/**
 * Data to delete with a replaced version. Variability is a separate summary that arrives before or after the sleep.
 * Keeps the variability readings within the final sleep, and the night's average.
 */
const REPLACED: readonly ReplacedPart[] = [
  { where: 'everywhere', of: { ...OWN, of: 'nights' } },
  { where: 'everywhere', of: { ...OWN, of: 'health_scores', idPrefix: `${SCORE_ID}/` } },
  {
    where: 'everywhere',
    of: {
      ...OWN,
      of: 'samples',
      typeIds: [seriesTypeByCode('oxygen_saturation').id, seriesTypeByCode('respiratory_rate').id],
      externalIds: [SAMPLES_ID],
    },
  },
  { where: 'outside', dataType: VARIABILITY_KEY, of: VARIABILITY_SERIES },
];

interface StageSpan {
  stage: SleepStage;
  startMs: number;
  endMs: number;
}

/**
 * A sleep with its stages, score, saturation, breathing, and the day's naps. A date may have several separate sleeps. A
 * final version, possibly with a different id, start and end, replaces all tentative versions that it overlaps. A
 * tentative version never replaces a final version, even if it arrives later.
 */
export const readSleep = summaryReader(SLEEP, (item, reading) => {
  const placed = placeOf(item, reading);
  if (!placed) return undefined;
  const stages = stagesOf(item.sleepLevelsMap, faultOf(reading));
  const sums = sumsOf(item, stages);
  const lastStageMs = stages.reduce((latest, { endMs }) => Math.max(latest, endMs), placed.startMs);
  const place = { ...placed, endMs: Math.max(placed.startMs + sums.length * MS_PER_SECOND, lastStageMs) };
  const bound = brokenLength(place, SLEEP_LENGTH);
  if (bound !== undefined) {
    reading.tally.reject(reading.index, 'durationInSeconds', 'implausible', bound);
    return undefined;
  }
  const { startMs, endMs } = place;
  const date = localDateOf({ ...place, startMs: endMs });
  const id = idOf(item.summaryId) ?? `${date} ${startMs / MS_PER_SECOND}`;
  const validation = textOf(item.validation)?.toUpperCase();
  const finality = validation?.endsWith('TENTATIVE') ? 0 : FINAL_SLEEP.rank;
  return {
    records: [
      night(place, id, sums, stages),
      ...score(item, place, validation),
      ...naps(item.naps, place, reading),
      ...mappedSamples(item.timeOffsetSleepSpo2, place, reading, {
        code: 'oxygen_saturation',
        id: SAMPLES_ID,
        field: 'timeOffsetSleepSpo2',
        convert: saturation,
      }),
      ...mappedSamples(item.timeOffsetSleepRespiration, place, reading, {
        code: 'respiratory_rate',
        id: SAMPLES_ID,
        field: 'timeOffsetSleepRespiration',
        convert: positive,
      }),
    ],
    span: { startMs, endMs },
    key: `${date} ${startMs / MS_PER_SECOND}`,
    version: finality,
    exclusive: { rank: finality, replaces: REPLACED },
  };
});

interface Sums extends SleepSeconds {
  /** Seconds from start to end; at least the sum of the known parts. */
  length: number;
  /** Undefined if the awake time is unknown and the figure would only contain the time asleep. */
  inBed: number | undefined;
}

/**
 * Returns seconds. A stage without a sum gets the sum of its intervals. The vendor's length excludes awake and
 * unmeasurable time, except in older items.
 */
function sumsOf(item: Sleep, stages: StageSpan[]): Sums {
  const known = (value: number | undefined) => (value !== undefined && value >= 0 ? value : undefined);
  const own = completeSleepSeconds(
    {
      deep: known(item.deepSleepDurationInSeconds),
      light: known(item.lightSleepDurationInSeconds),
      rem: known(item.remSleepInSeconds),
      awake: known(item.awakeDurationInSeconds),
    },
    // The vendor does not count unmeasurable time as sleep.
    stages.filter(({ stage }) => stage !== 'unknown'),
  );
  const unmeasurable = known(item.unmeasurableSleepInSeconds) ?? secondsOf(stages, 'unknown');
  const length = known(item.durationInSeconds) ?? known(item.duration);
  const parts = [own.deepSeconds, own.lightSeconds, own.remSeconds, own.awakeSeconds, unmeasurable];
  const measured = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const awakeOrLost = (own.awakeSeconds ?? 0) + unmeasurable;
  // In older items the length includes all parts.
  const asleepOfLength = length !== undefined && length === measured ? length - awakeOrLost : length;
  // The vendor writes 0 for every stage if it could not detect stages.
  const isUnstaged = own.asleepSeconds === 0 && (asleepOfLength ?? 0) > 0;
  const asleepSeconds = isUnstaged ? asleepOfLength : (own.asleepSeconds ?? asleepOfLength);
  const longest = Math.max(length ?? 0, measured, (asleepSeconds ?? 0) + awakeOrLost);
  return {
    ...own,
    ...(isUnstaged && { deepSeconds: undefined, lightSeconds: undefined, remSeconds: undefined }),
    asleepSeconds,
    length: longest,
    // Keeps the time in bed if the time asleep is unknown, because a night without both figures counts as fully asleep.
    inBed: asleepSeconds !== undefined && own.awakeSeconds === undefined ? undefined : longest,
  };
}

function secondsOf(stages: readonly StageSpan[], stageType: SleepStage): number {
  return (
    stages.reduce((sum, { stage, startMs, endMs }) => sum + (stage === stageType ? endMs - startMs : 0), 0) /
    MS_PER_SECOND
  );
}

function night(
  { startMs, endMs, offsetMinutes }: Place,
  externalId: string,
  { length: _, inBed, ...sums }: Sums,
  stages: StageSpan[],
): HealthRecord {
  const asleep = sums.asleepSeconds;
  return {
    kind: 'sleep_session',
    source: GARMIN_SOURCE,
    externalId,
    startMs,
    endMs,
    offsetMinutes,
    isNap: false,
    ...sums,
    inBedSeconds: inBed,
    efficiencyPercent: asleep === undefined || !inBed ? undefined : Math.min(100, (asleep / inBed) * 100),
    ...(stages.length > 0 && { stages }),
  };
}

function stagesOf(levels: PayloadObject = {}, count: (field: string) => void): StageSpan[] {
  const found: StageSpan[] = [];
  for (const [name, spans] of Object.entries(levels)) {
    const stage = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
    if (stage === undefined) count('sleepLevelsMap');
    else if (Array.isArray(spans)) {
      for (const span of readParts(LEVEL, spans, `sleepLevelsMap.${name}`, count)) {
        const [startMs, endMs] = [msOf(span.startTimeInSeconds), msOf(span.endTimeInSeconds)];
        if (startMs !== undefined && endMs !== undefined && startMs < endMs) found.push({ stage, startMs, endMs });
      }
    } else if (spans !== null) count(`sleepLevelsMap.${name}`);
  }
  return found.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** Returns the sleep score. One of its components states whether the version is final. */
function score(item: Sleep, { startMs, offsetMinutes }: Place, validation: string | undefined): HealthRecord[] {
  const { value, qualifierKey } = item.overallSleepScore ?? {};
  if (value === undefined || value <= 0) return [];
  const components: Components = {};
  for (const [name, part] of Object.entries(item.sleepScores ?? {})) {
    const qualifier = isObject(part) ? wordsOf(part.qualifierKey) : undefined;
    if (qualifier !== undefined) components[name] = { value: null, qualifier };
  }
  if (validation !== undefined) components.validation = { value: null, qualifier: validation };
  const qualifier = wordsOf(qualifierKey);
  const id = String(startMs / MS_PER_SECOND);
  return [healthScore({ category: SCORE_ID, id, value, qualifier, atMs: startMs, offsetMinutes, components })];
}

/** A nap may start in the same second as the night, so its id is marked as a nap. */
function naps(list: readonly unknown[] | undefined, night: Place, reading: SummaryReading): HealthRecord[] {
  return readParts(NAP, list, 'naps', faultOf(reading)).flatMap((nap): HealthRecord[] => {
    const startMs = msOf(nap.napStartTimeInSeconds) ?? Number.NaN;
    const span = { startMs, endMs: startMs + (msOf(nap.napDurationInSeconds) ?? Number.NaN) };
    if (Number.isNaN(span.endMs) || brokenLength(span, SLEEP_LENGTH) !== undefined) {
      reading.tally.reject(reading.index, 'naps', 'invalid_value');
      return [];
    }
    const offset = nap.napOffsetInSeconds;
    return [
      {
        kind: 'sleep_session',
        source: GARMIN_SOURCE,
        externalId: `nap/${span.startMs / MS_PER_SECOND}`,
        ...span,
        offsetMinutes: offset === undefined ? night.offsetMinutes : Math.round(offset / 60),
        isNap: true,
        asleepSeconds: (span.endMs - span.startMs) / MS_PER_SECOND,
        inBedSeconds: (span.endMs - span.startMs) / MS_PER_SECOND,
      },
    ];
  });
}
