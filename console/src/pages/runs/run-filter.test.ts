import { expect, test } from 'vitest';
import { runFilterOf, runOptionsOf } from './run-filter.js';

test('the address of the runs says which are listed, and the command lists the same', () => {
  const filter = runFilterOf(new URLSearchParams('status=failed&kind=backfill&provider=google&user=u1&days=7'));
  expect(filter).toEqual({ status: 'failed', source: 'backfill', provider: 'google', user_id: 'u1', days: 7 });
  expect(runOptionsOf(filter)).toBe(' --status failed --source backfill --provider google --user u1 --from 7d');
});

test('runs that wait for another attempt are a state of their own, and words that are none do not filter', () => {
  expect(runOptionsOf(runFilterOf(new URLSearchParams('status=retrying')))).toBe(' --retrying');
  expect(runOptionsOf(runFilterOf(new URLSearchParams('status=done&kind=x&provider=x&days=2')))).toBe('');
});
