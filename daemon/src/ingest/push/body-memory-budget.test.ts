import { expect, test } from 'vitest';
import { type BodyInHand, BodyMemoryBudget } from './body-memory-budget.js';

const MIB = 2 ** 20;

test('delays new bodies while current bodies use too much memory', async () => {
  const inHand = new BodyMemoryBudget(10 * MIB);
  const large = await inHand.begin();
  large.add(10 * MIB);
  const startedNumbers: number[] = [];
  const later = [1, 2, 3].map(async (number) => {
    const body = await inHand.begin();
    startedNumbers.push(number);
    return body;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(startedNumbers).toEqual([]);
  large.release();
  const bodies = await Promise.all(later);
  expect(startedNumbers).toEqual([1, 2, 3]);
  for (const body of bodies) body.release();
  (await inHand.begin()).release();
});

test('never lets a new body overtake a waiting body', async () => {
  const inHand = new BodyMemoryBudget(MIB);
  const bodies = await Promise.all([inHand.begin(), inHand.begin(), inHand.begin(), inHand.begin()]);
  const order: string[] = [];
  const waits = inHand.begin().then((body) => {
    order.push('first');
    return body;
  });
  bodies[0]?.release();
  const comes = inHand.begin().then((body) => {
    order.push('second');
    return body;
  });
  (await waits).release();
  (await comes).release();
  expect(order).toEqual(['first', 'second']);
});

test('admits as many bodies as fit into the memory budget', async () => {
  const inHand = new BodyMemoryBudget(MIB);
  const bodies: BodyInHand[] = [];
  for (let body = 0; body < 7; body += 1) void inHand.begin().then((hand) => bodies.push(hand));
  await settled();
  expect(bodies).toHaveLength(4);
  bodies[0]?.release();
  await settled();
  expect(bodies).toHaveLength(5);
  // The body was already released, so this second release frees no capacity.
  bodies[0]?.release();
  await settled();
  expect(bodies).toHaveLength(5);
  bodies[1]?.add(MIB / 4);
  bodies[2]?.release();
  await settled();
  expect(bodies).toHaveLength(5);
  bodies[1]?.release();
  await settled();
  expect(bodies).toHaveLength(7);
});

/** Resolves after all pending callbacks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
