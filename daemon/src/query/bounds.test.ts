import { parseMoment } from '@healthd/schemas';
import { describe, expect, it } from 'vitest';
import { Failure } from '../platform/failures.js';
import { dayBounds, instantBounds, type Requested, timeseriesBounds } from './bounds.js';

function requested(start: string, end: string): Requested {
  const [from, to] = [parseMoment(start), parseMoment(end)];
  if (!from || !to) throw new Error('unreadable test bound');
  return { start: from, end: to, endName: 'end_date' };
}

describe('the days of a summary', () => {
  it.each([
    ['2026-03-10', '2026-03-11', '2026-03-10', '2026-03-11'],
    ['2026-03-10', '2026-03-10', '2026-03-10', '2026-03-10'],
    ['20260310', '20260312', '2026-03-10', '2026-03-12'],
    ['2026-03-10T15:00:00Z', '2026-03-12T00:00:00Z', '2026-03-10', '2026-03-12'],
    ['2026-03-10', '2026-03-10T23:59:59Z', '2026-03-10', '2026-03-11'],
    ['2026-03-10T12:00:00Z', '2026-03-10T12:00:00Z', '2026-03-10', '2026-03-10'],
    ['2026-03-10T00:00:00+02:00', '2026-03-11T00:00:00+02:00', '2026-03-09', '2026-03-11'],
    ['1773100800', '1773187200', '2026-03-10', '2026-03-11'],
    ['2024-02-29', '2024-03-01', '2024-02-29', '2024-03-01'],
  ])('from %s to %s are %s to %s, end excluded', (start, end, fromDate, beforeDate) => {
    expect(dayBounds(requested(start, end))).toEqual({ fromDate, beforeDate });
  });
});

describe('the instants of a list', () => {
  it.each([
    ['2026-03-10', '2026-03-11', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'],
    ['2026-03-10T08:00:00+02:00', '1773133200', '2026-03-10T06:00:00Z', '2026-03-10T09:00:00Z'],
  ])('of events from %s to %s are %s to %s, end excluded', (start, end, from, before) => {
    expect(instantBounds(requested(start, end))).toEqual({ fromMs: Date.parse(from), beforeMs: Date.parse(before) });
  });

  it.each([
    ['2026-03-10', '2026-03-10', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'],
    ['2026-03-10', '20260310', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'],
    ['2026-03-10', '2026-03-11T00:00:00Z', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'],
    ['2026-03-10T00:00:00Z', '2026-03-10T00:00:00Z', '2026-03-10T00:00:00Z', '2026-03-10T00:00:00Z'],
  ])('of samples from %s to %s are %s to %s, end excluded', (start, end, from, before) => {
    expect(timeseriesBounds(requested(start, end))).toEqual({
      fromMs: Date.parse(from),
      beforeMs: Date.parse(before),
    });
  });
});

it.each([dayBounds, instantBounds, timeseriesBounds])('rejects an end before the start: %o', (bounds) => {
  const attempt = () => bounds(requested('2026-03-11', '2026-03-10'));
  expect(attempt).toThrow(Failure);
  expect(attempt).toThrow(
    expect.objectContaining({
      options: { problems: [expect.objectContaining({ loc: ['query', 'end_date'], type: 'value_error' })] },
    }),
  );
});
