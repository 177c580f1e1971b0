import { expect, it } from 'vitest';
import { requestsPerDay } from './quota-windows.js';

const PER_MINUTE = { perPersonAndMinute: 10, perApplicationAndMinute: 100 };

it('the requests of a day are those of the smallest window', () => {
  expect(requestsPerDay(PER_MINUTE, 3)).toBe(144_000);
  expect(requestsPerDay({ ...PER_MINUTE, perApplicationAndDay: 5_000 }, 3)).toBe(5_000);
});

it('the requests of a day grow with the people where the vendor allows more for each, up to those of the minutes', () => {
  const quotas = { ...PER_MINUTE, perApplicationAndDay: 5_000, perPersonAndDay: 100 };
  expect(requestsPerDay(quotas, 0)).toBe(5_000);
  expect(requestsPerDay(quotas, 1_000)).toBe(105_000);
  expect(requestsPerDay(quotas, 100_000)).toBe(144_000);
});
