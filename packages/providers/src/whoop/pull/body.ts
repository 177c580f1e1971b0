import { type SampleRecord, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, readPayload } from '../../payload/index.js';
import { WHOOP_SOURCE } from './source.js';

const CM_PER_METER = 100;
export const BODY_SERIES = ['height', 'weight'] as const satisfies readonly SeriesCode[];

/** The body. */
const BODY = z.object({ height_meter: z.number(), weight_kilogram: z.number() });

/**
 * Returns the current height and weight; the vendor does not report when they were measured. @param atMs time of the
 * request
 */
export function bodySamples(response: unknown, atMs: number, tally: Tally): SampleRecord[] {
  if (!isObject(response)) return [];
  const body = readPayload(BODY, response, (field) => tally.rejectUnreadable(0, field));
  const { height_meter: height, weight_kilogram: weight } = body;
  const state = { kind: 'sample', source: WHOOP_SOURCE, startMs: atMs, sampleKind: 'sample' } as const;
  const samples: SampleRecord[] = [];
  if (height !== undefined) {
    const value = Math.round(height * CM_PER_METER * 100) / 100;
    samples.push({ ...state, typeId: seriesTypeByCode('height').id, value });
  }
  if (weight !== undefined) samples.push({ ...state, typeId: seriesTypeByCode('weight').id, value: weight });
  return samples;
}
