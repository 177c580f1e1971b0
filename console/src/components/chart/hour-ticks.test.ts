import { expect, it } from 'vitest';
import { hourTicks } from './hour-ticks.js';

const labels = (from: string, to: string, zone: string) =>
  hourTicks({ from: Date.parse(from), to: Date.parse(to) }, zone).map(({ label }) => label);

it('labels a night with a few local hours', () => {
  expect(labels('2026-03-10T21:30:00Z', '2026-03-11T05:40:00Z', 'Europe/Warsaw')).toEqual([
    '00:00',
    '02:00',
    '04:00',
    '06:00',
  ]);
  expect(labels('2026-03-10T18:10:00Z', '2026-03-10T20:10:00Z', '+05:30')).toEqual(['00:00', '01:00']);
});

it('labels a 25-hour day every six hours', () => {
  expect(labels('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Warsaw')).toEqual([
    '00:00',
    '06:00',
    '12:00',
    '18:00',
  ]);
});
