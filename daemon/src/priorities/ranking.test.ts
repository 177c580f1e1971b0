import { expect, it } from 'vitest';
import { Priorities } from './ranking.js';

const candidate = (provider: string, deviceType: string | null, coveredMinutes: number, identity: number) => ({
  provider,
  deviceType,
  coveredMinutes,
  identity: `device ${identity}`,
});

it('orders sources by provider, device type, coverage and identity', () => {
  const priorities = new Priorities(
    new Map([
      ['apple', 1],
      ['garmin', 2],
    ]),
    new Map([
      ['watch', 1],
      ['phone', 4],
    ]),
  );
  const ranked = [
    candidate('apple', 'watch', 900, 7),
    candidate('apple', 'watch', 300, 3),
    candidate('apple', 'watch', 300, 8),
    candidate('apple', 'phone', 1440, 1),
    candidate('apple', null, 1440, 2),
    candidate('garmin', 'watch', 1440, 4),
    candidate('oura', 'watch', 1440, 5),
    candidate('oura', 'unknown', 1440, 6),
  ];
  expect([...ranked].reverse().sort((a, b) => priorities.compare(a, b))).toEqual(ranked);
});

it('a device without a type ranks like an unknown type', () => {
  const priorities = new Priorities(new Map(), new Map([['unknown', 2]]));
  expect(priorities.deviceType({ deviceType: null })).toBe(2);
  expect(priorities.deviceType({ deviceType: 'watch' })).toBeGreaterThan(2);
});

it('the device type order is one number, independent of insertion order', () => {
  const orderOf = (...ranks: [string, number][]) => new Priorities(new Map(), new Map(ranks)).deviceOrder;
  const order = orderOf(['watch', 1], ['phone', 4]);
  expect(orderOf(['phone', 4], ['watch', 1])).toBe(order);
  const others = [orderOf(['watch', 1]), orderOf(['watch', 4], ['phone', 1]), orderOf()];
  expect(new Set([order, ...others]).size).toBe(4);
  expect([order, ...others].every((number) => Number.isSafeInteger(number) && number < 2 ** 48)).toBe(true);
});
