import type { SyncRun } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { importEndOf } from './import-end.js';

it.each([
  ['success', 'done'],
  ['skipped', 'done'],
  ['partial', 'partial'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
] as const)('a run with status %s ends its file as %s', (status, end) => {
  expect(importEndOf({ status } as SyncRun)).toBe(end);
});

it('marks a file as gone if its run was deleted', () => {
  expect(importEndOf(undefined)).toBe('gone');
});
