import { type Extremes, MS_PER_MINUTE, type SampleRecord, type SeriesCode } from '@healthd/model';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { rejectUnreadableNumbers } from '../../rest/index.js';
import { type WatchSample, watchSample } from './sample.js';
import { kcalOfJoules, percentOf, positive, typeIdOf } from './series.js';
import { SUUNTO_SOURCE } from './source.js';

/** Amounts are those of the ten minutes that begin at the time of the record. */
const INTERVAL_MS = 10 * MS_PER_MINUTE;

/** Members that are numbers, or null. */
const NUMBERS = ['HR', 'HRV', 'SpO2', 'StepCount', 'EnergyConsumption'];

/** What was measured in ten minutes; nothing, and a rejection, for a record without a time. */
export function activityRecords(record: unknown, tally: Tally): SampleRecord[] {
  const sample = watchSample(record, tally);
  return sample ? samplesOf(sample, tally) : [];
}

/** The same of a notification. */
export function deliveredActivity(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const sample = watchSample(record, tally);
  if (!sample) return undefined;
  const span = { startMs: sample.atMs, endMs: sample.atMs + INTERVAL_MS };
  // The amounts of ten minutes grow: of two versions the one with more steps is the newer.
  const version = numberOf(sample.data.StepCount);
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

function samplesOf({ index, atMs, offsetMinutes, data }: WatchSample, tally: Tally): SampleRecord[] {
  rejectUnreadableNumbers(data, NUMBERS, tally, index);
  // The vendor restates a record under its time, which is all that identifies it.
  const place = { startMs: atMs, offsetMinutes, externalId: activityId(atMs) };
  const sample = (code: SeriesCode, value: number | undefined, more: Partial<SampleRecord> = {}): SampleRecord[] => {
    if (value === undefined) return [];
    const common = { kind: 'sample', sampleKind: 'sample', source: SUUNTO_SOURCE, typeId: typeIdOf(code) } as const;
    return [{ ...common, ...place, value, ...more }];
  };
  const amount = { durationMs: INTERVAL_MS };
  const found = [
    ...sample('heart_rate', positive(numberOf(data.HR)), heartRateExtremes(data)),
    ...sample('heart_rate_variability_rmssd', positive(numberOf(data.HRV))),
    ...sample('oxygen_saturation', percentOf(positive(numberOf(data.SpO2)))),
    ...sample('steps', numberOf(data.StepCount), amount),
    ...sample('energy', kcalOfJoules(numberOf(data.EnergyConsumption)), amount),
  ];
  if (found.length === 0) tally.noValue++;
  return found;
}

function heartRateExtremes({ HRExt }: PayloadObject): { extremes?: Extremes } {
  if (!isObject(HRExt)) return {};
  const minimum = positive(numberOf(HRExt.Min));
  const maximum = positive(numberOf(HRExt.Max));
  return minimum === undefined || maximum === undefined || minimum > maximum ? {} : { extremes: { minimum, maximum } };
}
