import { noItems } from '@healthd/model';
import { expect, it } from 'vitest';
import { endOf } from './run-end.js';

const failed = (error: string) => ({
  status: 'failed' as const,
  inserted: 0,
  updated: 0,
  deleted: 0,
  windows: 0,
  received: 0,
  rejected: 0,
  items: noItems(),
  error,
});

it('names the error codes if no data type was readable', () => {
  const reports = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, failed('unavailable 500')]));
  expect(endOf('google', reports).outcome).toMatchObject({
    error: 'Google Health: no data type could be read (all 4 data types: unavailable 500).',
  });
});
