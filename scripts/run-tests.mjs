// Runs vitest and counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runTool } from './checkout.mjs';
import { findMongod } from './mongod.mjs';

/**
 * @param {{ paths?: string[], env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Counts>}
 *
 * @typedef {{ passed: number, failures: Named[], skipped: Named[] }} Counts
 * @typedef {{ name: string, reason?: string }} Named
 */
export async function runTests({ paths = [], env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'healthd-counts-'));
  const file = join(folder, 'counts.json');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/test-count-reporter.mjs')}`];
  try {
    const code = await runTool(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...paths],
      {
        env: { ...env, HEALTHD_TEST_COUNTS: file },
        stdout: 'inherit',
      },
    );
    const counts = readCounts(file);
    // Vitest may fail without a failed test, for example in its set-up or when it finds no test at all.
    if (code !== 0 && counts.failures.length === 0)
      counts.failures.push({ name: 'vitest', reason: `ended with ${code}` });
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The variables by which the tests know their MongoDB server, searched for once a run. */
export async function mongodEnvironment() {
  const found = await findMongod();
  if (found.uri) return { MONGODB_URI: found.uri };
  return found.binary ? { MONGOD_BINARY: found.binary } : { MONGOD_MISSING: found.reason };
}

/** The lines that end a run; the last one is `N passed, N failed`, with `, N skipped` when there are any. */
export function summaryOf({ passed, failures, skipped }) {
  const lines = (word, list) => list.map(({ name, reason }) => `${word}: ${name}${reason ? ` (${reason})` : ''}`);
  const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  const total = `${passed} passed, ${failures.length} failed${tail}`;
  return [...lines('skipped', skipped), ...lines('failed', failures), total].join('\n');
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failures: [], skipped: [] };
  }
}
