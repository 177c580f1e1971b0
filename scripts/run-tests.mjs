// Runs vitest and reports its outcome.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runTool } from './checkout.mjs';
import { findMongod } from './mongod.mjs';
import { countsAfterRepeat, countsOf, filesToRepeat } from './test-counts.mjs';

/**
 * Tests that start or kill whole programs or use a browser, and the longest tests of single vendors. They take two
 * thirds of the total time. Contains folders and files.
 */
export const PROGRAM_TESTS = [
  'test/e2e',
  'test/browser',
  'test/faults',
  'test/jobs',
  'test/api/garmin',
  'test/api/google',
  'test/api/polar',
  'test/api/suunto',
  'test/api/whoop',
  'test/api/ten-providers',
  'test/api/import-killed.test.ts',
  'test/api/oura/contract.test.ts',
  'test/api/strava/contract.test.ts',
  'test/api/ultrahuman/contract.test.ts',
  'test/docs/commands.test.ts',
  'test/docs/first-client.test.ts',
  'test/docs/verified-copy.test.ts',
];

/**
 * Runs all tests, or the files whose path contains one of `paths`, without the files and folders of `except`. `alone`
 * runs them sequentially; `node` is the program to run them with.
 * @param {{ paths?: string[], except?: string[], env?: NodeJS.ProcessEnv, alone?: boolean, node?: string }} options
 * @returns {Promise<import('./test-counts.mjs').Run>}
 */
export async function runTests({ paths = [], except = [], env = {}, alone = false, node = process.execPath } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'healthd-counts-'));
  const file = join(folder, 'counts.json');
  const options = ['--reporter=default', `--reporter=${join(root, 'scripts/test-count-reporter.mjs')}`];
  if (alone) options.push('--no-file-parallelism');
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
 * @param {{ paths?: string[], except?: string[], env?: NodeJS.ProcessEnv, node?: string }} options
 * @returns {Promise<import('./test-counts.mjs').Counts>}
 */
export async function runTestsTwice({ env = {}, node, ...which } = {}) {
  const first = await runTests({ ...which, env, node });
  const paths = filesToRepeat(first);
  if (paths.length === 0) return countsOf(first);
  console.log(`\nRunning again, alone: ${paths.join(', ')}`);
  return countsAfterRepeat(first, await runTests({ paths, env, node, alone: true }));
}

/** Returns the environment variables that tell tests about MongoDB. Searches for it once per run. */
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
