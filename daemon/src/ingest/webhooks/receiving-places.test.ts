import { expect, test } from 'vitest';
import { ReceivingPlaces } from './receiving-places.js';

test('a delivery is refused while all places are taken, and taken once one is free', () => {
  const places = new ReceivingPlaces(2, 60);
  const first = places.take();
  const second = places.take();
  expect(() => places.take()).toThrow('Too many deliveries');
  first.release();
  // A place is given back once.
  first.release();
  const third = places.take();
  expect(() => places.take()).toThrow('Too many deliveries');
  second.release();
  third.release();
});

test('a delivery that takes too long to receive is ended', async () => {
  const place = new ReceivingPlaces(1, 0.01).take();
  await expect(place.tooSlow).rejects.toMatchObject({ code: 'request_timeout' });
  place.release();
});
