import type { SessionSamples } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { routeOf } from './route-line.js';

const series = (type: 'latitude' | 'longitude', ...values: number[]): SessionSamples[number] => ({
  type,
  unit: 'degrees',
  complete: true,
  samples: values.map((value, at) => ({ timestamp: `2026-03-10T10:0${at}:00Z`, value })),
});

it('scales longitude by latitude', () => {
  const line = routeOf([series('latitude', 60, 60, 60.01), series('longitude', 20, 20.01, 20.01)]);
  expect(line?.height).toBeCloseTo(1113, 0);
  expect(line?.width).toBeCloseTo(557, 0);
  expect(line?.points.map(({ x, y }) => [Math.round(x), Math.round(y)])).toEqual([
    [0, 1113],
    [557, 1113],
    [557, 0],
  ]);
});

it('draws the short way across the 180th meridian', () => {
  const line = routeOf([series('latitude', 0, 0), series('longitude', 179.995, -179.995)]);
  expect(line?.width).toBeCloseTo(1113, 0);
});

it('marks a truncated route as incomplete', () => {
  const [north, east] = [series('latitude', 60, 60.01), series('longitude', 20, 20)];
  expect(routeOf([north, east])?.isWhole).toBe(true);
  expect(routeOf([{ ...north, complete: false }, east])?.isWhole).toBe(false);
});

it('returns no route with fewer than two points', () => {
  expect(routeOf([])).toBeUndefined();
  expect(routeOf([series('latitude', 1, 2), series('longitude', 1)])).toBeUndefined();
});
