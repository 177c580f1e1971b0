import { expect, it } from 'vitest';
import { parseInstant } from './instants.js';

const utc = (text: string) => ({ ms: Date.parse(text) });

it.each([
  ['2026-11-19T17:02:10Z', utc('2026-11-19T17:02:10Z')],
  ['2026-11-19T17:02:10.250Z', utc('2026-11-19T17:02:10.250Z')],
  ['2026-11-19 17:02', utc('2026-11-19T17:02:00Z')],
  ['2026-11-19T17:02:10', utc('2026-11-19T17:02:10Z')],
  ['2026-11-19', utc('2026-11-19T00:00:00Z')],
  ['2024-02-29T00:00:00Z', utc('2024-02-29T00:00:00Z')],
  ['2026-11-19T17:02:10+02:00', { ...utc('2026-11-19T15:02:10Z'), offsetMinutes: 120 }],
  ['2026-11-19T17:02:10-0330', { ...utc('2026-11-19T20:32:10Z'), offsetMinutes: -210 }],
  [1_763_571_730, utc('2025-11-19T17:02:10Z')],
  [1_763_571_730_250, utc('2025-11-19T17:02:10.250Z')],
  ['1763571730', utc('2025-11-19T17:02:10Z')],
])('%s is an instant', (value, expected) => {
  expect(parseInstant(value)).toEqual(expected);
});

it.each([
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-19T24:00:00Z',
  '2026-11-19T10:60:00Z',
  '2026-11-19T10:00:00+25:00',
  '20-11-19',
  'yesterday',
  '',
  Number.NaN,
  true,
  null,
  {},
])('%s is none', (value) => {
  expect(parseInstant(value)).toBeUndefined();
});
