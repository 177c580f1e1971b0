import { expect, test } from 'vitest';
import { runFilterOf, runOptionsOf } from './run-filter.js';

test('translates the filter of the URL into command options', () => {
  const filter = runFilterOf(new URLSearchParams('status=failed&kind=backfill&provider=google&user=u1&days=7'));
  expect(filter).toEqual({ status: 'failed', source: 'backfill', provider: 'google', user_id: 'u1', days: 7 });
  expect(runOptionsOf(filter)).toBe(' --status failed --source backfill --provider google --user u1 --from 7d');
});

test('supports the retrying state', () => {
  expect(runOptionsOf(runFilterOf(new URLSearchParams('status=retrying')))).toBe(' --retrying');
});

test('ignores unknown values', () => {
  expect(runOptionsOf(runFilterOf(new URLSearchParams('status=done&kind=x&provider=x&days=2')))).toBe('');
});
