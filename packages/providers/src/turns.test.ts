import { readFile } from 'node:fs';
import { expect, test } from 'vitest';
import { Turns } from './turns.js';

test('lets due timers run before long work continues', async () => {
  const turns = new Turns();
  let hasTimerRun = false;
  const seen = await new Promise<boolean>((resolve) => {
    readFile(import.meta.filename, () => {
      setTimeout(() => {
        hasTimerRun = true;
      }, 1);
      for (const since = performance.now(); performance.now() - since < 30; );
      void turns.yieldIfLong().then(() => resolve(hasTimerRun));
    });
  });
  expect(seen).toBe(true);
});
