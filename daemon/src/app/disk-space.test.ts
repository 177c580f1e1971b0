import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { watchDiskSpace } from './disk-space.js';

test('marks the disk as full for a minute after a failed write', async () => {
  let clock = 0;
  const room = watchDiskSpace([tmpdir()], () => clock);
  expect(await room.isFull()).toBe(false);
  room.foundFull();
  clock = 59_000;
  expect(await room.isFull()).toBe(true);
  clock = 61_000;
  expect(await room.isFull()).toBe(false);
});

test('does not treat an unreadable folder as full', async () => {
  expect(await watchDiskSpace(['/nowhere/at/all']).isFull()).toBe(false);
});
