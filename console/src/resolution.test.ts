import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { expect, it } from 'vitest';
import { resolutionFor } from './resolution.js';

it('selects the finest resolution that fits the chart width', () => {
  const chosen = (days: number, width: number) => resolutionFor(days * MS_PER_DAY, width, false);
  expect([0.2, 1, 7, 30, 90, 400].map((days) => chosen(days, 1100))).toEqual([
    'raw',
    '5min',
    '1hour',
    '1hour',
    '1hour',
    '1hour',
  ]);
  expect(chosen(1, 320)).toBe('15min');
});

it('requests amounts in buckets wide enough for bars', () => {
  expect(resolutionFor(MS_PER_HOUR, 1100, true)).toBe('1min');
  expect(resolutionFor(MS_PER_DAY, 1100, true)).toBe('15min');
});
