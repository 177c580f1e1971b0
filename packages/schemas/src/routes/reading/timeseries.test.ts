import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { getSingleTimeseries, getTimeseries } from './timeseries.js';

function complaints(query: object, { query: schema }: { query: z.ZodObject } = getTimeseries) {
  // Adds missing parameters as undefined, because the service passes every parameter of the schema.
  const absent = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, undefined]));
  const result = schema.safeParse({ ...absent, ...query });
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
}

const day = { start_time: '2026-03-10', end_time: '2026-03-11' };

describe('timeseries query', () => {
  it('accepts both names of each range bound', () => {
    expect(complaints({ ...day, types: 'steps' })).toEqual([]);
    expect(complaints({ start_date: '2026-03-10', end_date: '2026-03-11', types: ['steps', 'energy'] })).toEqual([]);
    expect(complaints({ start_date: '2026-03-10', end_time: '2026-03-11', types: 'steps' })).toEqual([]);
  });

  it('reports all missing parameters together', () => {
    expect(complaints({})).toEqual(['start_time', 'end_time', 'types']);
  });

  it('reports unknown types together with missing parameters', () => {
    expect(complaints({ types: 'stepz' })).toEqual(['types.0', 'start_time', 'end_time']);
    expect(complaints({ ...day, types: 'steps,energy' })).toEqual(['types.0']);
  });

  it('does not report an invalid bound as missing', () => {
    expect(complaints({ ...day, start_time: 'soon', types: 'steps' })).toEqual(['start_time']);
  });

  it('rejects an unknown resolution and a limit above the maximum', () => {
    const wrong = { ...day, types: 'steps', resolution: '2min', limit: '10001' };
    expect(complaints(wrong).sort()).toEqual(['limit', 'resolution']);
  });

  it('validates source IDs, but not source texts', () => {
    const texts = { ...day, types: 'steps', provider: 'Apple', source: 'x', device_model: '' };
    expect(complaints(texts)).toEqual([]);
    expect(complaints({ ...texts, data_source_id: 'x' })).toEqual(['data_source_id']);
  });
});

it('accepts times in the date parameters of a single series', () => {
  expect(complaints({}, getSingleTimeseries)).toEqual(['start_date', 'end_date']);
  expect(complaints(day, getSingleTimeseries)).toEqual([]);
});
