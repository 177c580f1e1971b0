import { expect, test } from 'vitest';
import { ReceivingPlaces } from './receiving-places.js';

test('rejects a delivery while all slots are in use', () => {
  const places = new ReceivingPlaces(2, 60);
  const first = places.take();
  const second = places.take();
  expect(() => places.take()).toThrow('Too many deliveries');
  first.release();
  // A second release of the same slot has no effect.
  first.release();
  const third = places.take();
  expect(() => places.take()).toThrow('Too many deliveries');
  second.release();
  third.release();
});

test('ends a delivery that takes too long to receive', async () => {
  const place = new ReceivingPlaces(1, 0.01).take();
  await expect(place.tooSlow).rejects.toMatchObject({ code: 'request_timeout' });
  place.release();
});
