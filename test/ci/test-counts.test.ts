import { describe, expect, test } from 'vitest';
import { countsAfterRepeat, countsOf, type FileCounts, filesToRepeat, summaryOf } from '../../scripts/test-counts.mjs';

const passing: FileCounts = { file: 'a.test.ts', passed: 3, failures: [], skipped: [{ name: 'a.test.ts > later' }] };
const failing: FileCounts = {
  file: 'b.test.ts',
  passed: 1,
  failures: [
    { name: 'b.test.ts > waits', reason: 'too late' },
    { name: 'b.test.ts > adds', reason: 'expected 3' },
  ],
  skipped: [],
};
/** Its hook failed, so that no test of it ran. */
const unready: FileCounts = {
  file: 'c.test.ts',
  passed: 0,
  failures: [{ name: 'c.test.ts', reason: 'port in use' }],
  skipped: [{ name: 'c.test.ts > reads' }],
};
const first = { files: [passing, failing, unready], outside: [] };
const allWell = (file: string, passed: number): FileCounts => ({ file, passed, failures: [], skipped: [] });

describe('the counts of a test run', () => {
  test('the counts of a test run are those of its files and of what failed outside of them', () => {
    const outside = [{ name: 'outside of a test', reason: 'unhandled' }];
    expect(countsOf({ ...first, outside })).toEqual({
      passed: 4,
      failures: [...failing.failures, ...unready.failures, ...outside],
      skipped: [...passing.skipped, ...unready.skipped],
    });
  });

  test('the counts of a test run name each file in which something failed once, to be repeated', () => {
    expect(filesToRepeat(first)).toEqual(['b.test.ts', 'c.test.ts']);
  });

  test('the counts of a test run call a test flaky that passes when its file runs once more, and count it as passed', () => {
    const second = { files: [allWell('b.test.ts', 3), allWell('c.test.ts', 1)], outside: [] };
    const counts = countsAfterRepeat(first, second);
    expect(counts).toEqual({
      passed: 7,
      failures: [],
      skipped: passing.skipped,
      flaky: [...failing.failures, ...unready.failures],
    });
    expect(summaryOf(counts).split('\n')).toEqual([
      'skipped: a.test.ts > later',
      'flaky: b.test.ts > waits (failed at first: too late)',
      'flaky: b.test.ts > adds (failed at first: expected 3)',
      'flaky: c.test.ts (failed at first: port in use)',
      '7 passed, 0 failed, 1 skipped',
    ]);
  });

  test('the counts of a test run hold as failed what fails twice, with the reason of the second time', () => {
    const again = { ...failing, passed: 2, failures: [{ name: 'b.test.ts > adds', reason: 'expected 4' }] };
    const counts = countsAfterRepeat(first, { files: [again, allWell('c.test.ts', 1)], outside: [] });
    expect(counts.failures).toEqual([{ name: 'b.test.ts > adds', reason: 'expected 4' }]);
    expect(counts.flaky).toEqual([failing.failures[0], unready.failures[0]]);
    expect(counts.passed).toBe(6);
  });

  test('the counts of a test run hold as failed what fails for the first time when its file runs once more', () => {
    const failures = [{ name: 'b.test.ts > another', reason: 'expected 5' }];
    const counts = countsAfterRepeat(first, {
      files: [{ ...failing, failures }, allWell('c.test.ts', 1)],
      outside: [],
    });
    expect(counts.failures).toEqual(failures);
  });

  test('the counts of a test run keep the failures of a file that did not run once more, and all outside of files', () => {
    const outside = [{ name: 'outside of a test', reason: 'unhandled' }];
    const counts = countsAfterRepeat(
      { ...first, outside },
      { files: [], outside: [{ name: 'vitest', reason: 'ended with 1' }] },
    );
    expect(counts.failures.map(({ name }) => name)).toEqual([
      'b.test.ts > waits',
      'b.test.ts > adds',
      'c.test.ts',
      'outside of a test',
      'vitest',
    ]);
    expect(counts.flaky).toEqual([]);
  });

  test('the counts of a test run end with one line that says how many passed and failed', () => {
    expect(summaryOf({ passed: 2, failures: [], skipped: [] })).toBe('2 passed, 0 failed');
    expect(summaryOf({ passed: 2, failures: [{ name: 'x', reason: 'y' }], skipped: [] })).toBe(
      'failed: x (y)\n2 passed, 1 failed',
    );
  });
});
