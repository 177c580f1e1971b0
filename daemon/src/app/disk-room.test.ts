import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { watchDiskRoom } from './disk-room.js';

test('a write that found no room makes the disk full for a minute', async () => {
  let clock = 0;
  const room = watchDiskRoom([tmpdir()], () => clock);
  expect(await room.isFull()).toBe(false);
  room.foundFull();
  clock = 59_000;
  expect(await room.isFull()).toBe(true);
  clock = 61_000;
  expect(await room.isFull()).toBe(false);
});

test('a folder that cannot be looked at is not a full one', async () => {
  expect(await watchDiskRoom(['/nowhere/at/all']).isFull()).toBe(false);
});
