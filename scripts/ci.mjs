// Checks that every change must pass, called by .ci/run. All steps run even if one fails. The last lines list the
// failures and the totals.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, root, runTool, ToolFailure } from './checkout.mjs';
import { chromiumEnvironment } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { summaryOf } from './test-counts.mjs';

/**
 * Tests next to the sources. They run on the oldest supported Node and on later Node versions, each in a different time
 * zone, because UTC alone would hide errors in local days. Folders whose tests use a database take half of the time, so
 * each of these folders runs on the oldest Node and on one later Node.
 */
const UNIT_TESTS = ['cli/src', 'console/src', 'daemon/src', 'packages'];
const NODES = [
  { version: '20.19.0', zone: 'UTC' },
  { version: '22', zone: 'America/Los_Angeles', except: ['daemon/src/ingest', 'daemon/src/feed', 'daemon/src/backup'] },
  { version: '24', zone: 'Pacific/Kiritimati', except: ['daemon/src/store', 'daemon/src/query'] },
];
/** Minutes for the mutants of changed lines. They only warn, so their time is short. */
const MUTANT_MINUTES = 1;
const KNIP = 'knip/bin/knip.js';
const CODE = ['cli/src', 'console/src', 'daemon/src', 'packages'];

await main(async () => {
  const { mongodEnvironment, PROGRAM_TEST_PARTS, PROGRAM_TESTS, runTestsTwice } = await import('./run-tests.mjs');
  const total = { passed: 0, failures: [], skipped: [], flaky: [] };

  async function step(name, work) {
    console.log(`\n== ${name}`);
    const begun = performance.now();
    const before = processorMs();
    const counts = await work().catch((error) => {
      if (!(error instanceof ToolFailure)) throw error;
      console.log(error.message);
      return { passed: 0, failures: [{ name, reason: error.message }], skipped: [] };
    });
    total.passed += counts.passed;
    total.failures.push(...counts.failures);
    total.skipped.push(...counts.skipped);
    total.flaky.push(...(counts.flaky ?? []));
    const outcome = counts.failures.length === 0 ? 'ok' : 'FAILED';
    const after = processorMs();
    const busy = Math.round((100 * (after.busy - before.busy)) / Math.max(1, after.all - before.all));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`== ${name}: ${outcome} in ${seconds} s, processors ${busy} % busy`);
  }

  /** Counts a check as one test. */
  const check = (name, tool, ...args) =>
    step(name, async () => {
      const ok =
        (await runTool(process.execPath, [join(root, 'node_modules', tool), ...args], { stdout: 'inherit' })) === 0;
      return { passed: ok ? 1 : 0, failures: ok ? [] : [{ name }], skipped: [] };
    });

  /** Runs a step that only warns: prints its output, but its failure does not fail the build. */
  const warn = (name, work) =>
    step(name, async () => {
      const code = await work();
      if (code !== 0) console.log(`Not counted: it ended with ${code}.`);
      return { passed: 0, failures: [], skipped: [] };
    });

  await step('install and build', async () => {
    await ensureInstalled();
    await build({ everything: false });
    return { passed: 1, failures: [], skipped: [] };
  });
  // The tests without whole programs run first. Unit tests follow below, once per Node version.
  await step('tests', async () =>
    runTestsTwice({ except: [...PROGRAM_TESTS, ...UNIT_TESTS], env: await mongodEnvironment() }),
  );
  for (const { name, ...part } of PROGRAM_TEST_PARTS) {
    await step(name, async () =>
      runTestsTwice({ ...part, env: { ...(await mongodEnvironment()), ...(await chromiumEnvironment()) } }),
    );
  }
  for (const { version, zone, except } of NODES) {
    await step(`unit tests on Node ${version} in ${zone}`, async () =>
      runTestsTwice({ paths: UNIT_TESTS, except, node: await otherNode(version), env: { TZ: zone } }),
    );
  }
  await check('type check', 'typescript/bin/tsc', '-b');
  await check('type check of the console', 'typescript/bin/tsc', '-b', 'console');
  await check('type check of the tests', 'typescript/bin/tsc', '-p', 'tsconfig.test.json');
  await check('lint', '@biomejs/biome/bin/biome', 'lint', '--error-on-warnings', '.');
  await check('format', '@biomejs/biome/bin/biome', 'format', '.');
  await check(
    'import directions',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    ...CODE,
  );
  await check('dead exports', KNIP, '--include', 'exports,files,duplicates,unresolved', '--include-entry-exports');
  await check('dead types', KNIP, '--include', 'types,enumMembers');
  await warn('mutants of the last day', () => mutantsOfLastDay());
  console.log(`\n${summaryOf(total)}`);
  return total.failures.length === 0 ? 0 : 1;
});

/** Prints the mutants of the last day's changed lines that no test detects. */
async function mutantsOfLastDay() {
  const args = ['rev-list', '-1', '--before=24 hours ago', 'HEAD'];
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const commit = stdout?.trim();
  if (!commit) return 0;
  const script = join(root, 'scripts/mutants.mjs');
  return runTool(process.execPath, [script, '--since', commit, '--minutes', String(MUTANT_MINUTES)], {
    stdout: 'inherit',
    timeoutMs: 2 * MUTANT_MINUTES * 60_000,
  });
}

/** Returns the time of all processors since the machine started. Shows whether a step needs more or fewer workers. */
function processorMs() {
  const times = cpus().map((processor) => processor.times);
  const all = times.reduce((sum, each) => sum + Object.values(each).reduce((total, ms) => total + ms, 0), 0);
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}

/** Returns the program of another Node version, from the npm package that contains it. */
async function otherNode(version) {
  const folder = join(root, '.healthd/nodes', version);
  const program = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(program)) {
    const code = await runTool('npm', ['install', '--silent', '--prefix', folder, `node@${version}`]);
    if (code !== 0) throw new ToolFailure(`Node ${version} could not be installed; the reason is above.`);
  }
  return program;
}
