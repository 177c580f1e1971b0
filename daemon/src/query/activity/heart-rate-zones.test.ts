import { expect, it } from 'vitest';
import { heartRateZones, maximumHeartRate } from './heart-rate-zones.js';

it.each([
  [190, 95, 119, 144],
  [185, 92, 116, 140],
  [180, 90, 113, 136],
  [160, 80, 100, 121],
])('computes the zones for a maximum heart rate of %i bpm', (maximum, lightFrom, lightTo, moderateTo) => {
  expect(heartRateZones(maximum)).toEqual({ lightFrom, lightTo, moderateTo });
});

it.each([
  [null, '2026-03-10', 190],
  ['1986-03-10', '2026-03-10', 180],
  ['1986-03-11', '2026-03-10', 181],
  ['1984-02-29', '2026-02-28', 179],
  ['1984-02-29', '2026-03-01', 178],
  ['1890-01-01', '2026-03-10', 100],
])('computes the maximum for birth date %s on %s as %i bpm', (birthDate, date, maximum) => {
  expect(maximumHeartRate(birthDate, date)).toBe(maximum);
});
