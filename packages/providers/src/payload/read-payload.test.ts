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

it('reads declared members and leaves out the others', () => {
  const payload = { seconds: 7, isNap: false, name: 'x', samples: [null], heart: { min: 1 } };
  expect(read({ ...payload, other: 1 })).toEqual({ payload, faults: [] });
});

it('reads a number that is written as text', () => {
  expect(read({ seconds: '25980' })).toEqual({ payload: { seconds: 25_980 }, faults: [] });
});

it.each([undefined, null, ''])('treats %j as a missing value', (value) => {
  expect(read({ seconds: value, heart: value, name: value })).toEqual({ payload: {}, faults: [] });
});

it('counts each unreadable member under its path and reads the others', () => {
  const payload = { seconds: 'long', isNap: 1, name: 7, samples: {}, heart: { min: Number.NaN, max: 90 } };
  expect(read(payload)).toEqual({
    payload: { heart: { max: 90 } },
    faults: ['seconds', 'isNap', 'name', 'samples', 'heart.min'],
  });
});

it.each([7, 'x', []])('counts %j where an object belongs', (heart) => {
  expect(read({ heart })).toEqual({ payload: {}, faults: ['heart'] });
});
