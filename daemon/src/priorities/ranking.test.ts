import { expect, it } from 'vitest';
import { Priorities } from './ranking.js';

it('ranks a device without a type like an unknown type', () => {
  const priorities = new Priorities(new Map(), new Map([['unknown', 2]]));
  expect(priorities.deviceType({ deviceType: null })).toBe(2);
  expect(priorities.deviceType({ deviceType: 'watch' })).toBeGreaterThan(2);
});

it('gives a device type order the same key for any insertion order', () => {
  const orderOf = (...ranks: [string, number][]) => new Priorities(new Map(), new Map(ranks)).deviceOrder;
  const order = orderOf(['watch', 1], ['phone', 4]);
  expect(orderOf(['phone', 4], ['watch', 1])).toBe(order);
  const others = [orderOf(['watch', 1]), orderOf(['watch', 4], ['phone', 1]), orderOf()];
  expect(new Set([order, ...others]).size).toBe(4);
  expect([order, ...others].every((number) => Number.isSafeInteger(number) && number < 2 ** 48)).toBe(true);
});
