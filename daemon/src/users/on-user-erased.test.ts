import { expect, test } from 'vitest';
import { notifyUserErased } from './on-user-erased.js';

const user = { id: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01', userKey: 7 };

test('every hook is told of the user, also after one that failed', async () => {
  const told: unknown[] = [];
  const failures: unknown[] = [];
  const broken = new Error('the vendor is away');
  const hooks = [
    async () => {
      throw broken;
    },
    async (who: typeof user) => void told.push(who),
  ];
  await notifyUserErased(hooks, user, (error) => failures.push(error));
  expect(told).toEqual([user]);
  expect(failures).toEqual([broken]);
});

test('a hook that does not end is given up and told so by its signal', async () => {
  const failures: unknown[] = [];
  let told: AbortSignal | undefined;
  const endless = (_: typeof user, signal: AbortSignal) => {
    told = signal;
    return new Promise<void>(() => {});
  };
  await notifyUserErased([endless], user, (error) => failures.push(error), 0.02);
  expect(String(failures)).toContain('took too long');
  expect(told?.aborted).toBe(true);
});
