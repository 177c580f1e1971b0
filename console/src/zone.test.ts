import { expect, it } from 'vitest';
import { formatInZone, startOfDate, wallDate, zoneOfChart } from './zone.js';

it('prefers the user zone, then the newest sample offset, then UTC', () => {
  expect(zoneOfChart('Europe/Warsaw', '+09:00')).toBe('Europe/Warsaw');
  expect(zoneOfChart(undefined, '+05:30')).toBe('+05:30');
  expect(zoneOfChart(undefined, null)).toBe('UTC');
});

it('formats an instant in a named zone and at an offset', () => {
  const ms = Date.parse('2026-03-14T23:35:00Z');
  expect(formatInZone(ms, 'Asia/Tokyo')).toBe('2026-03-15 08:35');
  expect(formatInZone(ms, '+05:30')).toBe('2026-03-15 05:05');
  expect(formatInZone(ms, '-03:00')).toBe('2026-03-14 20:35');
  expect(formatInZone(ms, '+05:45')).toBe('2026-03-15 05:20');
  expect(formatInZone(ms, 'UTC')).toBe('2026-03-14 23:35');
});

it('returns zone fields independent of the reader’s zone', () => {
  const date = wallDate(Date.parse('2026-03-14T23:35:07Z'), 'Asia/Tokyo');
  expect([date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()]).toEqual([15, 8, 35, 7]);
});

it('starts a date at local midnight even on clock changes', () => {
  const begins = (date: string, zone: string) => new Date(startOfDate(date, zone)).toISOString();
  expect(begins('2026-03-14', 'Asia/Tokyo')).toBe('2026-03-13T15:00:00.000Z');
  expect(begins('2026-03-29', 'Europe/Warsaw')).toBe('2026-03-28T23:00:00.000Z');
  expect(begins('2026-03-30', 'Europe/Warsaw')).toBe('2026-03-29T22:00:00.000Z');
  expect(begins('2026-10-25', 'Europe/Warsaw')).toBe('2026-10-24T22:00:00.000Z');
  expect(begins('2026-10-26', 'Europe/Warsaw')).toBe('2026-10-25T23:00:00.000Z');
  expect(begins('2026-11-01', '-03:00')).toBe('2026-11-01T03:00:00.000Z');
});
