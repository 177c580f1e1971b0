import { type Extremes, MS_PER_MINUTE, type SampleRecord, type SeriesCode } from '@healthd/model';
import { z } from 'zod';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import type { PayloadOf } from '../../payload/index.js';
import { type WatchSample, watchSample } from './sample.js';
import { kcalOfJoules, percentOf, positive, typeIdOf } from './series.js';
import { SUUNTO_SOURCE } from './source.js';

/** Amounts cover the ten minutes that start at the record's time. */
const INTERVAL_MS = 10 * MS_PER_MINUTE;

/** Measurements of ten minutes. */
const ACTIVITY = z.object({
  /** Beats per minute. */
  HR: z.number(),
  HRExt: z.object({ Min: z.number(), Max: z.number() }),
  /** Milliseconds, RMSSD. */
  HRV: z.number(),
  /** A fraction of 0..1. Some watches write percent. */
  SpO2: z.number(),
  StepCount: z.number(),
  /** Joules. */
  EnergyConsumption: z.number(),
});
type Activity = PayloadOf<typeof ACTIVITY>;

/** Series of a record. `energy` includes energy at rest, because the vendor reports one figure for both. */
export const ACTIVITY_SERIES = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'oxygen_saturation',
  'steps',
  'energy',
] as const satisfies readonly SeriesCode[];

/** Returns the measurements of ten minutes. Rejects a record without a time. */
export function activityRecords(record: unknown, tally: Tally): SampleRecord[] {
  const sample = watchSample(ACTIVITY, record, tally);
  return sample ? samplesOf(sample, tally) : [];
}

/** Returns the records of a notification. */
export function deliveredActivity(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const sample = watchSample(ACTIVITY, record, tally);
  if (!sample) return undefined;
  const span = { startMs: sample.atMs, endMs: sample.atMs + INTERVAL_MS };
  // Ten-minute amounts grow, so the version with more steps is newer.
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
  // The vendor updates a record under its time, which is its only identity.
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
