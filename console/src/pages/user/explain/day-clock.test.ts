import { expect, it } from 'vitest';
import { clocksText, rangeOfDay, zoneOfDay } from './day-clock.js';

const sample = (timestamp: string, local_offset: string) => ({ timestamp, zone_offset: local_offset, local_offset });
const HOME = 'Europe/Berlin';

it('draws a day at home in the user’s time zone', () => {
  const samples = [sample('2026-03-28T23:30:00Z', '+01:00'), sample('2026-03-29T02:00:00Z', '+02:00')];
  expect(zoneOfDay(samples, HOME)).toBe(HOME);
  expect(zoneOfDay([], HOME)).toBe(HOME);
  expect(zoneOfDay([], undefined)).toBe('UTC');
  expect(rangeOfDay('2026-03-29', samples, HOME)).toEqual({
    from: Date.parse('2026-03-28T23:00:00Z'),
    to: Date.parse('2026-03-29T22:00:00Z'),
  });
});

it('draws a day abroad at the offset of its records', () => {
  const samples = [sample('2026-06-10T16:00:00Z', '+09:00'), sample('2026-06-10T01:00:00Z', '+09:00')];
  expect(zoneOfDay(samples, HOME)).toBe('+09:00');
  expect(zoneOfDay(samples, undefined)).toBe('+09:00');
  expect(rangeOfDay('2026-06-10', samples, '+09:00')).toEqual({
    from: Date.parse('2026-06-09T15:00:00Z'),
    to: Date.parse('2026-06-10T15:00:00Z'),
  });
});

it('spans a travel day from its earliest start to its latest end', () => {
  const samples = [sample('2026-06-10T20:00:00Z', '+02:00'), sample('2026-06-09T16:00:00Z', '+09:00')];
  const zone = zoneOfDay(samples, HOME);
  expect(zone).toBe('+09:00');
  expect(rangeOfDay('2026-06-10', samples, zone)).toEqual({
    from: Date.parse('2026-06-09T15:00:00Z'),
    to: Date.parse('2026-06-10T22:00:00Z'),
  });
  expect(clocksText(samples, zone)).toMatch(/^times at UTC\+09:00.*; recorded at UTC\+02:00 and UTC\+09:00$/);
});
