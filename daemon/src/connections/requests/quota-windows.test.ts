import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '@healthd/model';
import { expect, it } from 'vitest';
import { burstOf, perSecondOf, requestsPerDay, windowsOf } from './quota-windows.js';

const PER_MINUTE = { perUserAndMinute: 10, perApplicationAndMinute: 100 };

it('limits daily requests by the strictest quota', () => {
  expect(requestsPerDay(PER_MINUTE, 3)).toBe(144_000);
  expect(requestsPerDay({ ...PER_MINUTE, perApplicationAndDay: 5_000 }, 3)).toBe(5_000);
  expect(requestsPerDay({ ...PER_MINUTE, perApplicationAndWeek: 700 }, 3)).toBe(100);
  expect(requestsPerDay({ ...PER_MINUTE, perApplicationAndDay: 20, perApplicationAndWeek: 700 }, 3)).toBe(20);
});

it("adds each user's daily requests up to the per-minute limit", () => {
  const quotas = { ...PER_MINUTE, perApplicationAndDay: 5_000, perUserAndDay: 100 };
  expect(requestsPerDay(quotas, 0)).toBe(5_000);
  expect(requestsPerDay(quotas, 1_000)).toBe(105_000);
  expect(requestsPerDay(quotas, 100_000)).toBe(144_000);
});

it('adds a weekly window next to an unlimited daily window', () => {
  expect(windowsOf({ ...PER_MINUTE, perApplicationAndWeek: 190 })).toEqual([
    { requests: 100, seconds: SECONDS_PER_MINUTE },
    { requests: undefined, seconds: SECONDS_PER_DAY },
    { requests: 190, seconds: 7 * SECONDS_PER_DAY },
  ]);
});

it.each([
  [1, 1],
  [5, 2],
  [9, 4],
  [90, 9],
  [9_500, 950],
])('gives a quota of %i requests per minute a burst of %i', (requests, burst) => {
  const window = { requests, seconds: SECONDS_PER_MINUTE };
  expect(burstOf(window)).toBe(burst);
  if (requests > 1) expect(burst + perSecondOf(window) * window.seconds).toBeCloseTo(requests);
});
