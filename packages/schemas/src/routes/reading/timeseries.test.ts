import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { getSingleTimeseries, getTimeseries } from './timeseries.js';

function complaints(query: object, { query: schema }: { query: z.ZodObject } = getTimeseries) {
  // The service names every parameter of the schema, absent ones as undefined.
  const absent = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, undefined]));
  const result = schema.safeParse({ ...absent, ...query });
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
}

const day = { start_time: '2026-03-10', end_time: '2026-03-11' };

describe('the general time-series form', () => {
  it('the general time-series form takes either pair of names', () => {
    expect(complaints({ ...day, types: 'steps' })).toEqual([]);
    expect(complaints({ start_date: '2026-03-10', end_date: '2026-03-11', types: ['steps', 'energy'] })).toEqual([]);
    expect(complaints({ start_date: '2026-03-10', end_time: '2026-03-11', types: 'steps' })).toEqual([]);
  });

  it('the general time-series form asks for everything that is missing together', () => {
    expect(complaints({})).toEqual(['start_time', 'end_time', 'types']);
  });

  it('the general time-series form names unknown types beside what is missing', () => {
    expect(complaints({ types: 'stepz' })).toEqual(['types.0', 'start_time', 'end_time']);
    expect(complaints({ ...day, types: 'steps,energy' })).toEqual(['types.0']);
  });

  it('the general time-series form does not call a wrong bound missing', () => {
    expect(complaints({ ...day, start_time: 'soon', types: 'steps' })).toEqual(['start_time']);
  });

  it('the general time-series form refuses unknown resolutions and limits', () => {
    const wrong = { ...day, types: 'steps', resolution: '2min', limit: '10001' };
    expect(complaints(wrong).sort()).toEqual(['limit', 'resolution']);
  });

  it('takes any text as a source and refuses ids that are none', () => {
    const texts = { ...day, types: 'steps', provider: 'Apple', source: 'x', device_model: '' };
    expect(complaints(texts)).toEqual([]);
    expect(complaints({ ...texts, data_source_id: 'x' })).toEqual(['data_source_id']);
  });
});

it('the single form speaks of dates and takes times', () => {
  expect(complaints({}, getSingleTimeseries)).toEqual(['start_date', 'end_date']);
  expect(complaints(day, getSingleTimeseries)).toEqual([]);
});
