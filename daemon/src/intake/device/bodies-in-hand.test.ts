import { expect, test } from 'vitest';
import { BodiesInHand } from './bodies-in-hand.js';

const MIB = 2 ** 20;

test('no further body is begun while those in hand hold too much, and then they are begun in their order', async () => {
  const inHand = new BodiesInHand(10 * MIB);
  const large = await inHand.begin();
  large.add(10 * MIB);
  const begun: number[] = [];
  const later = [1, 2, 3].map(async (number) => {
    const body = await inHand.begin();
    begun.push(number);
    return body;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(begun).toEqual([]);
  large.release();
  const bodies = await Promise.all(later);
  expect(begun).toEqual([1, 2, 3]);
  for (const body of bodies) body.release();
  (await inHand.begin()).release();
});

test('a body that came later does not overtake one that waits', async () => {
  const inHand = new BodiesInHand(MIB);
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
