import { expect, test } from 'vitest';
import { notifyUserErased, type UserErasedHook } from './on-user-erased.js';

const ignoreEnd = () => {};
const user = { id: '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01', userKey: 7 };

test('calls every hook with the user, even after a failure', async () => {
  const reported: unknown[] = [];
  const failures: unknown[] = [];
  const broken = new Error('the vendor is away');
  const hooks = [
    async () => {
      throw broken;
    },
    async (who: typeof user) => void reported.push(who),
  ];
  await notifyUserErased(hooks, user, (error) => failures.push(error), ignoreEnd);
  expect(reported).toEqual([user]);
  expect(failures).toEqual([broken]);
});

test('reports an ended consent even if its hook hangs afterwards', async () => {
  const ends: unknown[] = [];
  const half: UserErasedHook = (_, __, onEnd) => {
    onEnd('a', 'returned');
    return new Promise<void>(() => {});
  };
  await notifyUserErased(
    [half],
    user,
    () => {},
    (...end) => ends.push(end),
    0.02,
  );
  expect(ends).toEqual([['a', 'returned']]);
});

test('aborts the signal of a hanging hook', async () => {
  const failures: unknown[] = [];
  let reported: AbortSignal | undefined;
  const endless = (_: typeof user, signal: AbortSignal) => {
    reported = signal;
    return new Promise<void>(() => {});
  };
  await notifyUserErased([endless], user, (error) => failures.push(error), ignoreEnd, 0.02);
  expect(String(failures)).toContain('took too long');
  expect(reported?.aborted).toBe(true);
});
