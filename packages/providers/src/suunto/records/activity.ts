import { type Extremes, MS_PER_MINUTE, type SampleRecord, type SeriesCode } from '@healthd/model';
import { z } from 'zod';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import type { PayloadOf } from '../../payload/index.js';
import { type WatchSample, watchSample } from './sample.js';
import { kcalOfJoules, percentOf, positive, typeIdOf } from './series.js';
import { SUUNTO_SOURCE } from './source.js';

/** Amounts are those of the ten minutes that begin at the time of the record. */
const INTERVAL_MS = 10 * MS_PER_MINUTE;

/** What a watch measured in ten minutes. */
const ACTIVITY = z.object({
  /** Beats a minute. */
  HR: z.number(),
  HRExt: z.object({ Min: z.number(), Max: z.number() }),
  /** Milliseconds, RMSSD. */
  HRV: z.number(),
  /** A share of one. Some watches write percent. */
  SpO2: z.number(),
  StepCount: z.number(),
  /** Joules. */
  EnergyConsumption: z.number(),
});
type Activity = PayloadOf<typeof ACTIVITY>;

/** Series that a record leads to. `energy` includes what the body spends at rest: the vendor gives one figure of both. */
export const ACTIVITY_SERIES = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'oxygen_saturation',
  'steps',
  'energy',
] as const satisfies readonly SeriesCode[];

/** What was measured in ten minutes; nothing, and a rejection, for a record without a time. */
export function activityRecords(record: unknown, tally: Tally): SampleRecord[] {
  const sample = watchSample(ACTIVITY, record, tally);
  return sample ? samplesOf(sample, tally) : [];
}

/** The same of a notification. */
export function deliveredActivity(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const sample = watchSample(ACTIVITY, record, tally);
  if (!sample) return undefined;
  const span = { startMs: sample.atMs, endMs: sample.atMs + INTERVAL_MS };
  // The amounts of ten minutes grow: of two versions the one with more steps is the newer.
  const version = sample.data.StepCount;
  return {
    records: samplesOf(sample, tally),
    span,
    key: activityId(sample.atMs),
    ...(version !== undefined && { version }),
  };
}

function activityId(atMs: number): string {
  return `activity/${new Date(atMs).toISOString()}`;
}

function samplesOf({ atMs, offsetMinutes, data }: WatchSample<Activity>, tally: Tally): SampleRecord[] {
  // The vendor restates a record under its time, which is all that identifies it.
  const place = { startMs: atMs, offsetMinutes, externalId: activityId(atMs) };
  const sample = (
    code: (typeof ACTIVITY_SERIES)[number],
    value: number | undefined,
    more: Partial<SampleRecord> = {},
  ): SampleRecord[] => {
    if (value === undefined) return [];
    const common = { kind: 'sample', sampleKind: 'sample', source: SUUNTO_SOURCE, typeId: typeIdOf(code) } as const;
    return [{ ...common, ...place, value, ...more }];
  };
  const amount = { durationMs: INTERVAL_MS };
  const found = [
    ...sample('heart_rate', positive(data.HR), heartRateExtremes(data)),
    ...sample('heart_rate_variability_rmssd', positive(data.HRV)),
    ...sample('oxygen_saturation', percentOf(positive(data.SpO2))),
    ...sample('steps', data.StepCount, amount),
    ...sample('energy', kcalOfJoules(data.EnergyConsumption), amount),
  ];
  if (found.length === 0) tally.noValue++;
  return found;
}

function heartRateExtremes({ HRExt }: Activity): { extremes?: Extremes } {
  const minimum = positive(HRExt?.Min);
  const maximum = positive(HRExt?.Max);
  return minimum === undefined || maximum === undefined || minimum > maximum ? {} : { extremes: { minimum, maximum } };
}
