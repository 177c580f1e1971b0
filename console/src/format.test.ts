import { describe, expect, it } from 'vitest';
import {
  daysAgo,
  formatBytes,
  formatCount,
  formatDistance,
  formatKilometers,
  formatMinutes,
  formatMinutesAndSeconds,
  formatNextTry,
  formatPace,
  formatPercent,
  formatRange,
  notAfterNow,
  sourceName,
  userName,
} from './format.js';

describe('the formatting functions', () => {
  it('distinguish unknown from zero', () => {
    expect([formatCount(null), formatCount(0)]).toEqual(['–', '0']);
    expect([formatKilometers(null), formatKilometers(0)]).toEqual(['–', '0.0']);
    expect([formatMinutes(undefined), formatMinutes(0)]).toEqual(['–', '0 min']);
  });

  it('group thousands', () => {
    expect(formatCount(11873.4)).toBe('11,873');
  });

  it('split minutes into hours', () => {
    expect(formatMinutes(425)).toBe('7 h 05');
  });

  it('show a dash for unknown parts of a heart rate range', () => {
    expect(formatRange(51, null, 148)).toBe('51 · – · 148');
    expect(formatRange(undefined, undefined, undefined)).toBe('–');
    expect([formatPercent(91.6), formatPercent(null)]).toEqual(['92 %', '–']);
  });

  it('show distances below a kilometer in meters', () => {
    expect([0, 24.7, 400, 999.4].map(formatDistance)).toEqual(['0 m', '25 m', '400 m', '999 m']);
    expect([999.6, 1000, 5_240].map(formatDistance)).toEqual(['1.0 km', '1.0 km', '5.2 km']);
    expect([formatDistance(null), formatDistance(undefined)]).toEqual(['–', '–']);
  });

  it('never show 60 seconds next to minutes', () => {
    expect([299.4, 299.6, 307].map(formatPace)).toEqual(['4:59 min/km', '5:00 min/km', '5:07 min/km']);
    expect([formatMinutesAndSeconds(59.7), formatMinutesAndSeconds(245)]).toEqual(['1:00', '4:05']);
    expect([formatPace(null), formatMinutesAndSeconds(null)]).toEqual(['–', '–']);
  });

  it('show sizes in decimal units', () => {
    expect([0, 999, 1_903_270, 2_147_483_648].map(formatBytes)).toEqual(['0 bytes', '999 bytes', '1.9 MB', '2.1 GB']);
  });

  it('prefer the device name of a source', () => {
    const source = { device_name: null, source: null, provider: 'apple' };
    expect(sourceName({ ...source, device_name: 'Watch 9', source: 'com.example' })).toBe('Watch 9');
    expect(sourceName({ ...source, source: 'com.example' })).toBe('com.example');
    expect(sourceName({ ...source, source: 'google_health_api', provider: 'google' })).toBe('Google Health');
    expect(sourceName(source)).toBe('Apple Health');
  });

  it('name a user by the known profile fields', () => {
    const user = { id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', first_name: null, last_name: null, email: null };
    expect(userName({ ...user, first_name: 'Ada', last_name: 'Byron' })).toBe('Ada Byron');
    expect(userName({ ...user, email: 'ada@example.com' })).toBe('ada@example.com');
    expect(userName(user)).toBe('User 1b9d6bcd');
  });

  it('count days back across months', () => {
    expect(daysAgo(2, Date.parse('2026-03-01T00:30:00Z'))).toBe('2026-02-27');
  });
});

describe('the time of the next attempt', () => {
  const now = new Date(2026, 10, 22, 14, 29).getTime();
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

  it('formats a due attempt, an attempt today and a later attempt', () => {
    expect(formatNextTry(at(2026, 10, 22, 14, 32), now)).toBe('14:32 (in 3 min)');
    expect(formatNextTry(at(2026, 10, 23, 2, 0), now)).toBe('2026-11-23 02:00 (in 11 h 31)');
    expect(formatNextTry(at(2026, 10, 22, 14, 28), now)).toBe('now');
  });
});

describe('notAfterNow', () => {
  const nowMs = Date.parse('2026-03-10T08:00:00Z');

  it.each([
    ['2026-03-10T12:00:00.000Z', '2026-03-10T08:00:00.000Z'],
    ['2026-03-10T07:59:00+00:00', '2026-03-10T07:59:00.000Z'],
    ['2026-03-10T09:30:00+02:00', '2026-03-10T07:30:00.000Z'],
  ])('returns %s as %s, never later than now', (instant, shown) => {
    expect(notAfterNow(instant, nowMs)).toBe(shown);
  });
});
