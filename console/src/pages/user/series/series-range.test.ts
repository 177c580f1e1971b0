import { MS_PER_DAY } from '@healthd/model';
import { expect, it } from 'vitest';
import { adjacentRange, seriesSearch, seriesView, widened } from './series-range.js';

const NOW = Date.parse('2026-11-17T10:00:00Z');
const viewOf = (search: string) => seriesView(new URLSearchParams(search), NOW);

it('defaults to the last seven days', () => {
  expect(viewOf('')).toEqual({ type: undefined, range: { from: NOW - 7 * MS_PER_DAY, to: NOW }, span: 7 });
  expect(viewOf('days=1&type=weight')).toMatchObject({ type: 'weight', span: 1 });
  expect(viewOf('days=5')).toMatchObject({ span: 7 });
});

it('stores a custom range in the URL', () => {
  const range = { from: NOW - 3_600_000, to: NOW };
  const search = seriesSearch({ type: 'heart_rate', range });
  expect(search).toContain('from=2026-11-17T09%3A00%3A00Z');
  expect(viewOf(search)).toEqual({ type: 'heart_rate', range, span: undefined });
  expect(seriesSearch({ type: 'heart_rate', span: 7 })).toBe('?type=heart_rate');
});

it('ignores invalid ranges in the URL', () => {
  for (const search of ['from=2026-11-17&to=2026-11-16', 'from=soon&to=2026-11-16', 'from=2026-11-16']) {
    expect(viewOf(search)).toMatchObject({ span: 7 });
  }
});

it('clamps a range to between one minute and 400 days', () => {
  const length = (range: { from: number; to: number }) => {
    const { from, to } = viewOf(seriesSearch({ range })).range;
    return to - from;
  };
  expect(length({ from: NOW, to: NOW + 10 })).toBe(60_000);
  expect(length({ from: NOW - 4000 * MS_PER_DAY, to: NOW })).toBe(400 * MS_PER_DAY);
});

it('steps to adjacent ranges', () => {
  expect(adjacentRange({ from: 10, to: 20 }, -1)).toEqual({ from: 0, to: 10 });
});

it('doubles the length of the range', () => {
  expect(widened({ from: 10, to: 20 })).toEqual({ from: 5, to: 25 });
});
