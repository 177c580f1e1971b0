import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ResultCache } from './result-cache.js';

const QUICK_MS = 40;

/** Returns a read that takes this long and counts its calls. */
function slowRead(ms: number) {
  let reads = 0;
  return async () => {
    await sleep(ms);
    reads += 1;
    return reads;
  };
}

test('reuses the result of a slow read, even during the read', async () => {
  const kept = new ResultCache<number>(QUICK_MS);
  const read = slowRead(2 * QUICK_MS);
  expect(await Promise.all([kept.get('a', read), kept.get('a', read)])).toEqual([1, 1]);
  expect(await kept.get('a', read)).toBe(1);
});

test('does not cache the result of a fast read', async () => {
  const kept = new ResultCache<number>(600_000);
  const read = slowRead(0);
  expect([await kept.get('a', read), await kept.get('a', read)]).toEqual([1, 2]);
});

test('stores results of different keys separately', async () => {
  const kept = new ResultCache<string>(0);
  const read = (text: string) => () => sleep(1, text);
  expect(await Promise.all(['a', 'b'].map((key) => kept.get(key, read(key))))).toEqual(['a', 'b']);
  expect(await kept.get('b', read('other'))).toBe('b');
});

test('does not cache a failure', async () => {
  const kept = new ResultCache<number>(0);
  await expect(kept.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await kept.get('a', async () => 1)).toBe(1);
});
