import { expect, test, vi } from 'vitest';
import { BriefCache } from './brief-cache.js';

test('shares one lookup between concurrent callers', async () => {
  const load = vi.fn(async () => 'found');
  const cache = new BriefCache<string>(1000);
  expect(await Promise.all([cache.get('key', load), cache.get('key', load)])).toEqual(['found', 'found']);
  expect(load).toHaveBeenCalledTimes(1);
});

test('returns a cached result only until it expires', async () => {
  let value = 'old';
  const cache = new BriefCache<string>(500);
  const load = async () => value;
  await cache.get('key', load);
  value = 'new';
  expect(await cache.get('key', load)).toBe('old');
  await new Promise((resolve) => setTimeout(resolve, 520));
  expect(await cache.get('key', load)).toBe('new');
});

test('caches neither missing values nor failures', async () => {
  const cache = new BriefCache<string>(1000);
  expect(await cache.get('key', async () => undefined)).toBeUndefined();
  await expect(cache.get('key', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('key', async () => 'found')).toBe('found');
});

test('evicts a result when the cache is full', async () => {
  const cache = new BriefCache<number>(60_000, 2);
  const load = vi.fn(async () => 1);
  for (const key of ['a', 'b', 'c']) await cache.get(key, load);
  await cache.get('a', load);
  expect(load).toHaveBeenCalledTimes(4);
});

test('caches results of different keys separately', async () => {
  const cache = new BriefCache<string>(60_000, 3);
  const load = (key: string) => vi.fn(async () => key);
  const [a, b] = [load('a'), load('b')];
  for (let times = 0; times < 3; times += 1) {
    expect(await cache.get('a', a)).toBe('a');
    expect(await cache.get('b', b)).toBe('b');
  }
  expect([a, b].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('forgets a deleted key immediately', async () => {
  const cache = new BriefCache<string>(60_000);
  await cache.get('key', async () => 'valid');
  cache.delete('key');
  expect(await cache.get('key', async () => undefined)).toBeUndefined();
});

test.each([
  ['no value', async () => undefined],
  ['a failure', () => Promise.reject(new Error('down'))],
])('keeps a newer cached result when an older lookup ends with %s', async (_end, load: () => Promise<undefined>) => {
  const cache = new BriefCache<string>(60_000);
  const before = cache.get('key', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return load();
  });
  cache.delete('key');
  await cache.get('key', async () => 'found');
  await before.catch(() => undefined);
  expect(await cache.get('key', () => Promise.reject(new Error('looked up again')))).toBe('found');
});
