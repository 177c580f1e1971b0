// Results of a test run, and its summary lines.

/**
 * One test file. A failure is named by file and test, or by the file alone if it did not load or a hook failed.
 * @typedef {{ file: string, passed: number, failures: Named[], skipped: Named[] }} FileCounts
 *
 * A run: its files, and failures outside of all files.
 * @typedef {{ files: FileCounts[], outside: Named[] }} Run
 *
 * `flaky` tests failed at first and passed when their file ran again.
 * @typedef {{ passed: number, failures: Named[], skipped: Named[], flaky?: Named[] }} Counts
 * @typedef {{ name: string, reason?: string }} Named
 */

/**
 * @param {Run} run
 * @returns {Counts}
 */
export function countsOf({ files, outside }) {
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failures: [...files.flatMap(({ failures }) => failures), ...outside],
    skipped: files.flatMap(({ skipped }) => skipped),
  };
}

/**
 * Returns the files with failures, which can run again. Ignores failures outside of files.
 * @param {Run} run
 * @returns {string[]}
 */
export function filesToRepeat({ files }) {
  return files.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
}

/**
 * Returns a pattern that matches the names of the failed tests. Undefined if a file failed outside of its tests,
 * because some of its tests may not have run.
 * @param {Run} run
 * @returns {string | undefined}
 */
export function patternOfFailures({ files }) {
  const names = files.flatMap(({ file, failures }) => failures.map(({ name }) => name.slice(file.length + 3)));
  if (names.includes('')) return undefined;
  // Vitest separates the names of groups and tests by spaces.
  const patterns = names.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(' > ', '(?: >)? '));
  return `^(?:${patterns.join('|')})$`;
}

/**
 * Returns the second run as if it had repeated whole files. The second run contains only the failed tests, so the other
 * tests keep their results. Omits a file if the second run repeated fewer tests than had failed.
 * @param {Run} first
 * @param {Run} second
 * @returns {Run}
 */
export function withRepeatedTests(first, second) {
  const known = new Map(first.files.map((counts) => [counts.file, counts]));
  const files = second.files.flatMap(({ file, passed, failures }) => {
    const before = known.get(file);
    if (!before || passed + failures.length < before.failures.length) return [];
    return [{ file, passed: before.passed + passed, failures, skipped: before.skipped }];
  });
  return { files, outside: second.outside };
}

/**
 * Returns the counts after some files ran again, using their second results. A failure in the second run counts; a file
 * that the second run does not report keeps its failures.
 * @param {Run} first
 * @param {Run} second
 * @returns {Counts}
 */
export function countsAfterRepeat(first, second) {
  const again = new Map(second.files.map((counts) => [counts.file, counts]));
  const counts = countsOf({
    files: first.files.map((counts) => again.get(counts.file) ?? counts),
    outside: [...first.outside, ...second.outside],
  });
  const failed = new Set(counts.failures.map(({ name }) => name));
  const flaky = first.files.flatMap(({ failures }) => failures).filter(({ name }) => !failed.has(name));
  return { ...counts, flaky };
}

/**
 * Returns the summary lines of a run. The last line is `N passed, N failed`, with `, N skipped` if tests were skipped.
 * @param {Counts} counts
 */
export function summaryOf({ passed, failures, skipped, flaky = [] }) {
  const lines = (word, list, before = '') =>
    list.map(({ name, reason }) => `${word}: ${name}${reason ? ` (${before}${reason})` : ''}`);
  const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  const total = `${passed} passed, ${failures.length} failed${tail}`;
  return [
    ...lines('skipped', skipped),
    ...lines('flaky', flaky, 'failed at first: '),
    ...lines('failed', failures),
    total,
  ].join('\n');
}
