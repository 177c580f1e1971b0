import { MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { changeInWords, timesAlong } from './trend-points.js';

const NOW_MS = Date.parse('2026-03-10T12:00:00Z');
const counted = (hoursAgo: number, count: number) => ({ atMs: NOW_MS - hoursAgo * MS_PER_HOUR, count });

describe('the trend of a group', () => {
  it.each([
    [25, '2 fewer than a day ago'],
    [30, '2 fewer than a day ago'],
    [31, ''],
    [144, ''],
    [23, ''],
  ])('describes the change since a count %i hours ago as %j', (hours, words) => {
    expect(changeInWords([counted(hours, 5), counted(0, 3)])).toBe(words);
  });

  it('describes an increase and an unchanged count', () => {
    expect(changeInWords([counted(26, 1), counted(6, 9), counted(0, 3)])).toBe('2 more than a day ago');
    expect(changeInWords([counted(26, 3), counted(0, 3)])).toBe('unchanged since yesterday');
  });

  it('positions counts by their time', () => {
    expect(timesAlong([counted(100, 1), counted(20, 1), counted(10, 1), counted(0, 1)])).toEqual([0, 0.8, 0.9, 1]);
  });
});
