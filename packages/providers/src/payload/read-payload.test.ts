import { expect, it } from 'vitest';
import { z } from 'zod';
import { readPayload } from './read-payload.js';

const NIGHT = z.object({
  seconds: z.number(),
  isNap: z.boolean(),
  name: z.string(),
  samples: z.array(z.unknown()),
  heart: z.object({ min: z.number(), max: z.number() }),
});

function read(payload: Record<string, unknown>) {
  const faults: string[] = [];
  return { payload: readPayload(NIGHT, payload, (field) => faults.push(field)), faults };
}

it('reads only declared members', () => {
  const payload = { seconds: 7, isNap: false, name: 'x', samples: [null], heart: { min: 1 } };
  expect(read({ ...payload, other: 1 })).toEqual({ payload, faults: [] });
});

it('reads a number that is written as a string', () => {
  expect(read({ seconds: '25980' })).toEqual({ payload: { seconds: 25_980 }, faults: [] });
});

it.each([undefined, null, ''])('treats %j as a missing value', (value) => {
  expect(read({ seconds: value, heart: value, name: value })).toEqual({ payload: {}, faults: [] });
});

it('counts each unreadable member under its path', () => {
  const payload = { seconds: 'long', isNap: 1, name: 7, samples: {}, heart: { min: Number.NaN, max: 90 } };
  expect(read(payload)).toEqual({
    payload: { heart: { max: 90 } },
    faults: ['seconds', 'isNap', 'name', 'samples', 'heart.min'],
  });
});

it.each([7, 'x', []])('counts %j as unreadable instead of an object', (heart) => {
  expect(read({ heart })).toEqual({ payload: {}, faults: ['heart'] });
});

it('reads a name with hyphens as the declared name with underscores', () => {
  const LOAD = z.object({
    cardio_load_level: z.object({ very_high: z.number(), low: z.number() }),
    strain: z.number(),
  });
  const faults: string[] = [];
  const levels = { 'very-high': 170, low: 30 };
  const read = (payload: Record<string, unknown>) => readPayload(LOAD, payload, (field) => faults.push(field));
  expect(read({ 'cardio-load-level': levels })).toEqual({ cardio_load_level: { very_high: 170, low: 30 } });
  expect(read({ cardio_load_level: { very_high: 1, 'very-high': 2 } })).toEqual({
    cardio_load_level: { very_high: 1 },
  });
  expect(faults).toEqual([]);
  expect(read({ 'cardio-load-level': { 'very-high': 'much' } })).toEqual({ cardio_load_level: {} });
  expect(faults).toEqual(['cardio_load_level.very_high']);
});
