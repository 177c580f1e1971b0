import { type SampleRecord, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, readPayload } from '../../payload/index.js';
import { OURA_SOURCE } from './source.js';

const CM_PER_METER = 100;
export const BODY_SERIES = ['height', 'weight'] as const satisfies readonly SeriesCode[];

/** The user. Height in meters, weight in kilograms. */
const PERSON = z.object({ height: z.number(), weight: z.number() });

/**
 * Returns the current height and weight. The vendor does not report when the user entered the values.
 * @param atMs time of the request
 */
export function bodySamples(response: unknown, atMs: number, tally: Tally): SampleRecord[] {
  if (!isObject(response)) return [];
  const { height: meters, weight } = readPayload(PERSON, response, (field) => tally.rejectUnreadable(0, field));
  const state = { kind: 'sample', source: OURA_SOURCE, startMs: atMs, sampleKind: 'sample' } as const;
  const samples: SampleRecord[] = [];
  if (meters !== undefined && meters > 0) {
    const value = Math.round(meters * CM_PER_METER * 100) / 100;
    samples.push({ ...state, typeId: seriesTypeByCode('height').id, value });
  }
  if (weight !== undefined && weight > 0) {
    samples.push({ ...state, typeId: seriesTypeByCode('weight').id, value: weight });
  }
  return samples;
}
