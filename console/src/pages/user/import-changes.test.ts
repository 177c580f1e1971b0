import { expect, it } from 'vitest';
import { changesOf } from './import-changes.js';

it('sums the changes of each changed series over all months', () => {
  const changes = {
    steps: { '2026-03': { new: 3, gone: 1 }, '2026-04': { new: 2 } },
    weight: { '2026-03': { changed: 9 } },
    height: { '2026-03': {} },
  };
  expect(changesOf({ metadata: { report: { changes } } })).toEqual([
    { series: 'weight', fresh: 0, changed: 9, gone: 0 },
    { series: 'steps', fresh: 5, changed: 0, gone: 1 },
  ]);
});

it('returns no changes without a report', () => {
  expect(changesOf({ metadata: {} })).toEqual([]);
  expect(changesOf({ metadata: { report: { changes: 'none' } } })).toEqual([]);
});
