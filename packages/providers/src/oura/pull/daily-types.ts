import { type ScoreCategory, SECONDS_PER_MINUTE, type SeriesCode } from '@healthd/model';
import { z } from 'zod';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { sumOfParts } from '../../sleep-seconds.js';
import { SCOPES } from '../oauth.js';

/** A collection with one document per day. */
export interface DailyType {
  /** Name of the collection in events. */
  id: string;
  /** As in URLs. */
  collection: string;
  scope: string;
  /** The document, in addition to its `day`. */
  payload: z.ZodObject;
  /** Values of the day, by series; undefined if the document has no value. */
  series: Readonly<Partial<Record<SeriesCode, (document: PayloadObject) => number | undefined>>>;
  score?: DailyScore;
}

interface DailyScore {
  category: ScoreCategory;
  /** Name of the member that contains the value; undefined if the score has no numeric value. */
  value?: string;
  /** Name of the member that contains the vendor's word for the value. */
  qualifier?: string;
  /** Members of the document that explain the value, in addition to `contributors`. */
  components?: readonly string[];
}

/** Figures from 0 to 100 that explain a score, under the vendor's names. */
const CONTRIBUTORS = z.record(z.string(), z.unknown());

const member = (name: string) => (document: PayloadObject) => numberOf(document[name]);

/** Returns the day's energy without its active part. */
function basalEnergy({ total_calories, active_calories }: PayloadObject): number | undefined {
  const total = numberOf(total_calories);
  const active = numberOf(active_calories);
  return total === undefined || active === undefined || total < active ? undefined : total - active;
}

/** Whole minutes. */
function activeMinutes(document: PayloadObject): number | undefined {
  const kinds = ['high', 'medium', 'low'];
  const seconds = sumOfParts(kinds.map((kind) => numberOf(document[`${kind}_activity_time`])));
  return seconds === undefined ? undefined : Math.round(seconds / SECONDS_PER_MINUTE);
}

/** Returns the saturation; undefined for 0 or a missing object, which both mean no value. */
function saturation({ spo2_percentage: spo2 }: PayloadObject): number | undefined {
  const average = isObject(spo2) ? numberOf(spo2.average) : undefined;
  return average !== undefined && average > 0 ? average : undefined;
}

/** Collections with one document per day, in reading order. */
export const DAILY_TYPES = [
  {
    id: 'daily_activity',
    collection: 'daily_activity',
    scope: SCOPES.daily,
    payload: z.object({
      score: z.number(),
      contributors: CONTRIBUTORS,
      steps: z.number(),
      /** Kilocalories. */
      active_calories: z.number(),
      total_calories: z.number(),
      /** Meters. */
      equivalent_walking_distance: z.number(),
      /** Seconds. */
      high_activity_time: z.number(),
      medium_activity_time: z.number(),
      low_activity_time: z.number(),
    }),
    series: {
      steps: member('steps'),
      energy: member('active_calories'),
      basal_energy: basalEnergy,
      distance_walking_running: member('equivalent_walking_distance'),
      active_time: activeMinutes,
    },
    score: { category: 'activity', value: 'score' },
  },
  {
    id: 'daily_sleep',
    collection: 'daily_sleep',
    scope: SCOPES.daily,
    payload: z.object({ score: z.number(), contributors: CONTRIBUTORS }),
    series: {},
    score: { category: 'sleep', value: 'score' },
  },
  {
    id: 'daily_readiness',
    collection: 'daily_readiness',
    scope: SCOPES.daily,
    payload: z.object({
      score: z.number(),
      contributors: CONTRIBUTORS,
      /** Degrees Celsius. */
      temperature_deviation: z.number(),
      temperature_trend_deviation: z.number(),
    }),
    series: {
      skin_temperature_deviation: member('temperature_deviation'),
      skin_temperature_trend_deviation: member('temperature_trend_deviation'),
    },
    score: { category: 'readiness', value: 'score' },
  },
  {
    id: 'daily_spo2',
    collection: 'daily_spo2',
    scope: SCOPES.saturation,
    payload: z.object({
      spo2_percentage: z.object({ average: z.number() }),
      breathing_disturbance_index: z.number(),
    }),
    series: { oxygen_saturation: saturation, breathing_disturbance_index: member('breathing_disturbance_index') },
  },
  {
    id: 'daily_stress',
    collection: 'daily_stress',
    scope: SCOPES.daily,
    // Seconds, and a word. A day without measurements has zeros and no word.
    payload: z.object({ stress_high: z.number(), recovery_high: z.number(), day_summary: z.string() }),
    series: {},
    score: { category: 'stress', qualifier: 'day_summary', components: ['stress_high', 'recovery_high'] },
  },
  {
    id: 'daily_resilience',
    collection: 'daily_resilience',
    scope: SCOPES.stress,
    payload: z.object({ level: z.string(), contributors: CONTRIBUTORS }),
    series: {},
    score: { category: 'resilience', qualifier: 'level' },
  },
  {
    id: 'daily_cardiovascular_age',
    collection: 'daily_cardiovascular_age',
    scope: SCOPES.heartHealth,
    payload: z.object({ vascular_age: z.number() }),
    series: { cardiovascular_age: member('vascular_age') },
  },
  {
    id: 'vo2_max',
    collection: 'vO2_max',
    scope: SCOPES.heartHealth,
    payload: z.object({ vo2_max: z.number() }),
    series: { vo2_max: member('vo2_max') },
  },
] as const satisfies readonly DailyType[];

/** Series of a collection. */
export function seriesOf({ series }: DailyType): SeriesCode[] {
  return Object.keys(series) as SeriesCode[];
}
