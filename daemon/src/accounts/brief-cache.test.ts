import { expect, test, vi } from 'vitest';
import { BriefCache } from './brief-cache.js';

test('callers who ask at once share one lookup', async () => {
  const load = vi.fn(async () => 'found');
  const cache = new BriefCache<string>(1000);
  expect(await Promise.all([cache.get('key', load), cache.get('key', load)])).toEqual(['found', 'found']);
  expect(load).toHaveBeenCalledTimes(1);
});

test('what was found is believed for its time and no longer', async () => {
  let value = 'old';
  const cache = new BriefCache<string>(500);
  const load = async () => value;
  await cache.get('key', load);
  value = 'new';
  expect(await cache.get('key', load)).toBe('old');
  await new Promise((resolve) => setTimeout(resolve, 520));
  expect(await cache.get('key', load)).toBe('new');
});

test('neither an absence nor a failure is remembered', async () => {
  const cache = new BriefCache<string>(1000);
  expect(await cache.get('key', async () => undefined)).toBeUndefined();
  await expect(cache.get('key', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('key', async () => 'found')).toBe('found');
});

test('guesses do not fill the memory', async () => {
  const cache = new BriefCache<number>(60_000, 2);
  const load = vi.fn(async () => 1);
  for (const key of ['a', 'b', 'c']) await cache.get(key, load);
  await cache.get('a', load);
  expect(load).toHaveBeenCalledTimes(4);
});
