// Runs vitest and reports its outcome.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runTool } from './checkout.mjs';
import { findMongod } from './mongod.mjs';
import { countsAfterRepeat, countsOf, filesToRepeat, patternOfFailures, withRepeatedTests } from './test-counts.mjs';

/**
 * Tests that start or kill whole programs or use a browser, and tests of a service with simulated vendors. They take
 * two thirds of the total time. Contains folders and files.
 */
export const PROGRAM_TESTS = [
  'test/e2e',
  'test/browser',
  'test/faults',
  'test/jobs',
  'test/api/garmin',
  'test/api/google',
  'test/api/oura',
  'test/api/polar',
  'test/api/strava',
  'test/api/suunto',
  'test/api/ultrahuman',
  'test/api/whoop',
  'test/api/ten-providers',
  'test/api/diagnosis.test.ts',
  'test/api/import-killed.test.ts',
  'test/api/matrix.test.ts',
  'test/api/overtaken-renewal.test.ts',
  'test/api/python-client.test.ts',
  'test/api/service-activity.test.ts',
  'test/api/subscriber-renewal.test.ts',
  'test/api/token-renewal.test.ts',
  'test/api/vendor-accounts.test.ts',
  'test/docs/commands.test.ts',
  'test/docs/first-client.test.ts',
  'test/docs/verified-copy.test.ts',
];

/** Program tests that measure processor time. They keep both cores busy, while the other program tests mostly wait. */
const MEASURED_TESTS = 'test/e2e/hostile-';

/** The two parts of the program tests, as options of {@link runTests}. */
export const PROGRAM_TEST_PARTS = [
  { name: 'tests of whole programs', paths: PROGRAM_TESTS, except: [`${MEASURED_TESTS}*.test.ts`], workers: 4 },
  { name: 'tests of many items', paths: [MEASURED_TESTS], workers: 2, areIndependent: true },
];

/**
 * Runs all tests, or the files whose path contains an entry of `paths`, without the files and folders of `except`.
 * `alone` runs the files sequentially, and `workers` is the maximum number of files at once. `only` is a pattern for
 * test names, and `node` is the program that runs the tests.
 * @param {Options & { alone?: boolean, only?: string }} options
 * @returns {Promise<import('./test-counts.mjs').Run>}
 *
 * @typedef {{ paths?: string[], except?: string[], env?: NodeJS.ProcessEnv, workers?: number, node?: string }} Options
 */
export async function runTests({
  paths = [],
  except = [],
  env = {},
  workers,
  alone = false,
  only,
  node = process.execPath,
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'healthd-counts-'));
  const file = join(folder, 'counts.json');
  const options = ['--reporter=default', `--reporter=${join(root, 'scripts/test-count-reporter.mjs')}`];
  if (alone) options.push('--no-file-parallelism');
  else if (workers !== undefined) options.push(`--maxWorkers=${workers}`);
  if (only !== undefined) options.push(`--testNamePattern=${only}`);
  for (const path of except) options.push(`--exclude=${path.endsWith('.ts') ? path : `${path}/**`}`);
  try {
    const code = await runTool(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...paths], {
      env: { ...env, HEALTHD_TEST_COUNTS: file },
      stdout: 'inherit',
    });
    const run = readRun(file);
    // Vitest may fail without a failed test, for example in its set-up or when it finds no test at all.
    if (code !== 0 && countsOf(run).failures.length === 0)
      run.outside.push({ name: 'vitest', reason: `ended with ${code}` });
    return run;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Like `runTests`, but reruns files with failures sequentially. A test that passes in the rerun is flaky.
 * `areIndependent` reruns only the failed tests of these files, without the tests that ran before the failed tests.
 * @param {Options & { areIndependent?: boolean }} options
 * @returns {Promise<import('./test-counts.mjs').Counts>}
 */
export async function runTestsTwice({ env = {}, node, areIndependent = false, ...which } = {}) {
  const first = await runTests({ ...which, env, node });
  const paths = filesToRepeat(first);
  if (paths.length === 0) return countsOf(first);
  const only = areIndependent ? patternOfFailures(first) : undefined;
  console.log(`\nRunning again, alone: ${paths.join(', ')}${only === undefined ? '' : `, only ${only}`}`);
  const second = await runTests({ paths, env, node, alone: true, only });
  return countsAfterRepeat(first, only === undefined ? second : withRepeatedTests(first, second));
}

/** Returns the environment variables with which tests find MongoDB. Searches for it once per run. */
export async function mongodEnvironment() {
  const found = await findMongod();
  if (found.uri) return { MONGODB_URI: found.uri };
  return found.binary ? { MONGOD_BINARY: found.binary } : { MONGOD_MISSING: found.reason };
}

function readRun(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { files: [], outside: [] };
  }
}
