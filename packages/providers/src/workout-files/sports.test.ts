import { expect, it } from 'vitest';
import { fitType, isIndoor, namedType } from './sports.js';

it.each([
  [1, undefined, 'running'],
  [1, 3, 'trail_running'],
  [2, 8, 'mountain_biking'],
  [17, 3, 'hiking'],
  [2, 6, 'indoor_cycling'],
  [5, 17, 'pool_swimming'],
  [12, 42, 'cross_country_skiing'],
  [10, 20, 'strength_training'],
  [200, 200, 'other'],
  [undefined, undefined, 'generic'],
] as const)('maps FIT sport %s with variant %s to %s', (sport, variant, type) => {
  expect(fitType(sport, variant)).toBe(type);
});

it.each([
  ['Running', 'running'],
  ['trail_running', 'trail_running'],
  ['Biking', 'cycling'],
  ['VirtualRide', 'indoor_cycling'],
  ['Cross-Country Skiing', 'cross_country_skiing'],
  ['9', 'running'],
  ['Underwater chess', 'other'],
  [undefined, 'other'],
])('maps the name %s to %s', (name, type) => {
  expect(namedType(name)).toBe(type);
});

it('recognizes indoor variants', () => {
  expect([1, 6, 58].map(isIndoor)).toEqual([true, true, true]);
  expect([undefined, 0, 3].map(isIndoor)).toEqual([undefined, undefined, undefined]);
});
