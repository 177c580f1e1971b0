import { expect, it } from 'vitest';
import { parseInstant, parseUtcSeconds } from './instants.js';

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
  ['1763571730.5', utc('2025-11-19T17:02:10.500Z')],
  ['1763571730250.25', utc('2025-11-19T17:02:10.250Z')],
  ['-100000000', utc('1966-10-31T14:13:20Z')],
  [-99_999_999_999, { ms: -99_999_999_999_000 }],
  [99_999_999_999, { ms: 99_999_999_999_000 }],
  [100_000_000_000, { ms: 100_000_000_000 }],
  [0.0004, { ms: 0 }],
  [' 2026-11-19T17:02:10Z ', utc('2026-11-19T17:02:10Z')],
  ['2026-11-19T17:02:10z', utc('2026-11-19T17:02:10Z')],
  ['2026-11-19 17:02:10 UTC', utc('2026-11-19T17:02:10Z')],
  ['2026-11-19t17:02:10 +00:00', { ...utc('2026-11-19T17:02:10Z'), offsetMinutes: 0 }],
  ['2026-11-19T17:02:10,9999Z', utc('2026-11-19T17:02:10.999Z')],
  ['2026-01-01T00:00', utc('2026-01-01T00:00:00Z')],
  ['2026-12-31T23:59:59+00:00', { ...utc('2026-12-31T23:59:59Z'), offsetMinutes: 0 }],
])("reads a device's instant written as %s", (value, expected) => {
  expect(parseInstant(value)).toEqual(expected);
});

it.each([
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-19T24:00:00Z',
  '2026-11-19T10:60:00Z',
  '2026-11-19T10:00:60+00:00',
  '2026-00-01T00:00:00+00:00',
  '2026-01-00T00:00:00+00:00',
  '2026-01-32',
  '2026-11-19T10:00:00+25:00',
  '12345678',
  '12345678901234',
  'x1763571730',
  '1763571730x',
  '1763571730.x',
  Number.POSITIVE_INFINITY,
  '20-11-19',
  'yesterday',
  '',
  Number.NaN,
  true,
  null,
  {},
])("rejects a device's instant written as %s", (value) => {
  expect(parseInstant(value)).toBeUndefined();
});

it('parses the usual format like Date.parse at calendar limits', () => {
  for (const year of ['1970', '2026', '9999']) {
    for (const day of ['01-01', '06-15', '12-28']) {
      for (const time of ['00:00:00', '09:08:07', '23:59:59']) {
        const text = `${year}-${day}T${time}Z`;
        expect([text, parseUtcSeconds(text)]).toEqual([text, Date.parse(text)]);
      }
    }
  }
});

it('leaves instants in other formats to the slower parser', () => {
  const usual = '2026-11-19T17:02:10Z';
  for (let at = 0; at < usual.length; at++) {
    for (const other of ['/', ':', 'x', ' ']) {
      if (usual[at] === other) continue;
      expect(parseUtcSeconds(usual.slice(0, at) + other + usual.slice(at + 1))).toBeUndefined();
    }
  }
  const others = ['-00-19T17:02:10', '-13-19T17:02:10', '-11-00T17:02:10', '-11-29T17:02:10', '-11-19T24:02:10'];
  for (const rest of [...others, '-11-19T17:60:10', '-11-19T17:02:60']) {
    expect(parseUtcSeconds(`2026${rest}Z`)).toBeUndefined();
  }
  expect(parseUtcSeconds('0000-11-19T17:02:10Z')).toBeUndefined();
  expect(parseUtcSeconds(`${usual} `)).toBeUndefined();
});
