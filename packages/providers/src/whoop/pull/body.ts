import { type SampleRecord, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { isObject, numberOf } from '../../payload/index.js';
import { WHOOP_SOURCE } from './source.js';

const CM_PER_METER = 100;
export const BODY_SERIES = ['height', 'weight'] as const satisfies readonly SeriesCode[];

/** Height and weight as they are now: the vendor does not say when they were measured. @param atMs when they were asked for */
export function bodySamples(answer: unknown, atMs: number): SampleRecord[] {
  if (!isObject(answer)) return [];
  const height = numberOf(answer.height_meter);
  const state = { kind: 'sample', source: WHOOP_SOURCE, startMs: atMs, sampleKind: 'sample' } as const;
  const samples: SampleRecord[] = [];
  if (height !== undefined) {
    const value = Math.round(height * CM_PER_METER * 100) / 100;
    samples.push({ ...state, typeId: seriesTypeByCode('height').id, value });
  }
  const weight = numberOf(answer.weight_kilogram);
  if (weight !== undefined) samples.push({ ...state, typeId: seriesTypeByCode('weight').id, value: weight });
  return samples;
}
