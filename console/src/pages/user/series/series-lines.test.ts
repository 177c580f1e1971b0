import type { TimeSeriesSample } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { linesOf } from './series-lines.js';

function sample(minute: number, value: number, source: Partial<TimeSeriesSample['source']>): TimeSeriesSample {
  return {
    timestamp: new Date(minute * 60_000).toISOString(),
    zone_offset: null,
    local_offset: '+00:00',
    type: 'heart_rate',
    value,
    unit: 'bpm',
    source: { provider: 'apple', source: null, device: null, device_type: null, device_name: null, ...source },
    is_daily_total: null,
  };
}

it('draws one line per source, most points first', () => {
  const watch = { device: 'Watch7,1', device_name: 'Apple Watch' };
  const lines = linesOf([sample(1, 60, { source: 'App' }), sample(1, 61, watch), sample(2, 62, watch)]);
  expect(lines.map(({ name, points }) => [name, points.map(({ value }) => value)])).toEqual([
    ['Apple Watch', [61, 62]],
    ['App', [60]],
  ]);
});

it('distinguishes sources with equal names by origin', () => {
  const watch = { device_name: 'Pixel Watch', device: 'pw2' };
  const lines = linesOf([sample(1, 60, watch), sample(1, 61, { ...watch, provider: 'google', source: 'Fit' })]);
  expect(lines.map(({ name }) => name)).toEqual([
    'Pixel Watch (Apple Health, pw2)',
    'Pixel Watch (Google Health, Fit, pw2)',
  ]);
});
