import type { SyncRun } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { reportOf, reportPairs } from './run-report.js';

const contents = {
  elements: [
    { name: 'Record', read: 1_200, imported: 1_150, rejected: 10, not_imported: { no_series: 40 } },
    { name: 'ActivitySummary', read: 30, imported: 0, rejected: 0, not_imported: { repeated: 30 } },
    { name: 'Audiogram', read: 2, imported: 0, rejected: 0, not_imported: { no_series: 2 } },
  ],
  parts: [{ name: 'Workout/WorkoutRoute', read: 4, imported: 0, rejected: 0, not_imported: { no_route: 4 } }],
  files: [{ name: 'export', read: 1, imported: 1, rejected: 0, not_imported: {} }],
};
const run = (report: object) =>
  ({ run_id: 'xml_1', status: 'success', items_processed: null, metadata: { report } }) as unknown as SyncRun;

it('shows element and file counts that add up', () => {
  const lines = reportPairs(run({ contents }));
  expect(lines).toContainEqual([
    'Elements',
    '1,232 = 1,150 imported + 10 rejected + 72 not imported (no_series 42, repeated 30)',
  ]);
  expect(lines).toContainEqual(['Files', '1 = 1 imported']);
});

it('shows no sums if a report has no contents', () => {
  for (const malformed of [undefined, 'none', { elements: {}, files: [7, null] }]) {
    const names = reportPairs(run({ contents: malformed })).map(([name]) => name);
    expect(names).not.toContain('Elements');
    expect(names).not.toContain('Files');
  }
});

it('adds up the reasons for each outcome', () => {
  expect(reportOf(run({ contents })).contents.parts).toEqual({
    read: 4,
    imported: 0,
    rejected: 0,
    notImported: { no_route: 4 },
  });
});
