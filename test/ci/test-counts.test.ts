import { describe, expect, test } from 'vitest';
import {
  countsAfterRepeat,
  countsOf,
  type FileCounts,
  filesToRepeat,
  patternOfFailures,
  summaryOf,
  withRepeatedTests,
} from '../../scripts/test-counts.mjs';

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
/** A file whose hook failed, so none of its tests ran. */
const unready: FileCounts = {
  file: 'c.test.ts',
  passed: 0,
  failures: [{ name: 'c.test.ts', reason: 'port in use' }],
  skipped: [{ name: 'c.test.ts > reads' }],
};
const first = { files: [passing, failing, unready], outside: [] };
const allWell = (file: string, passed: number): FileCounts => ({ file, passed, failures: [], skipped: [] });

describe('the counts of a test run', () => {
  test('adds up files and failures outside of files', () => {
    const outside = [{ name: 'outside of a test', reason: 'unhandled' }];
    expect(countsOf({ ...first, outside })).toEqual({
      passed: 4,
      failures: [...failing.failures, ...unready.failures, ...outside],
      skipped: [...passing.skipped, ...unready.skipped],
    });
  });

  test('lists each file with failures once, for the second run', () => {
    expect(filesToRepeat(first)).toEqual(['b.test.ts', 'c.test.ts']);
  });

  test('counts a test that passes the second time as flaky', () => {
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

  test('counts a repeated failure as failed, with the second reason', () => {
    const again = { ...failing, passed: 2, failures: [{ name: 'b.test.ts > adds', reason: 'expected 4' }] };
    const counts = countsAfterRepeat(first, { files: [again, allWell('c.test.ts', 1)], outside: [] });
    expect(counts.failures).toEqual([{ name: 'b.test.ts > adds', reason: 'expected 4' }]);
    expect(counts.flaky).toEqual([failing.failures[0], unready.failures[0]]);
    expect(counts.passed).toBe(6);
  });

  test('counts a first failure in the second run as failed', () => {
    const failures = [{ name: 'b.test.ts > another', reason: 'expected 5' }];
    const counts = countsAfterRepeat(first, {
      files: [{ ...failing, failures }, allWell('c.test.ts', 1)],
      outside: [],
    });
    expect(counts.failures).toEqual(failures);
  });

  test('keeps failures of files that ran once and failures outside files', () => {
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

  test('repeats only failed tests, including tests in groups', () => {
    const failures = [{ name: "d.test.ts > a group > takes (n) 'a.b'" }, { name: 'd.test.ts > adds' }];
    const pattern = new RegExp(
      patternOfFailures({ files: [{ ...failing, file: 'd.test.ts', failures }], outside: [] })!,
    );
    const runs = ["a group takes (n) 'a.b'", 'adds', "a group takes (n) 'a,b'", 'adds more', 'another adds'];
    expect(runs.filter((name) => pattern.test(name))).toEqual(["a group takes (n) 'a.b'", 'adds']);
  });

  test('repeats all tests of a file with a failure outside of tests', () => {
    expect(patternOfFailures(first)).toBeUndefined();
  });

  test('adds repeated tests to the other tests of their file', () => {
    const [waits, adds] = failing.failures;
    const again = { ...failing, passed: 1, failures: [adds!], skipped: [{ name: 'b.test.ts > other' }] };
    const run = { files: [failing], outside: [] };
    const counts = countsAfterRepeat(run, withRepeatedTests(run, { files: [again], outside: [] }));
    expect(counts).toEqual({ passed: 2, failures: [adds], skipped: [], flaky: [waits] });
  });

  test('keeps failures of tests that did not run again', () => {
    const none = { ...failing, passed: 1, failures: [] };
    const run = { files: [failing], outside: [] };
    const counts = countsAfterRepeat(run, withRepeatedTests(run, { files: [none], outside: [] }));
    expect(counts.failures).toEqual(failing.failures);
  });

  test('ends with one line of passed and failed counts', () => {
    expect(summaryOf({ passed: 2, failures: [], skipped: [] })).toBe('2 passed, 0 failed');
    expect(summaryOf({ passed: 2, failures: [{ name: 'x', reason: 'y' }], skipped: [] })).toBe(
      'failed: x (y)\n2 passed, 1 failed',
    );
  });
});
