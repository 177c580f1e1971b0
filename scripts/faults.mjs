// `npm run faults [-- kills]`: the long form of the fault tests, by default 200 kills of each type. `npm run faults --
// embedded [kills]`: only kills of the service and its embedded Postgres. `npm run faults -- repetitions`: the long
// form of repeating tests, such as property tests. `npm run faults -- google [users]`: only reads from a vendor with
// failing responses, by default for 200 users.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, root } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { filesBelow } from './stamp.mjs';
import { countsOf, summaryOf } from './test-counts.mjs';

const DEFAULT_KILLS = 200;
/**
 * Default number of kills of the service and its Postgres. The number is low, because each kill waits until both have
 * started.
 */
const DEFAULT_EMBEDDED_KILLS = 20;
const DEFAULT_USERS = 200;
/**
 * Number of kills during reads of several users. The number is low, because a restart takes longer than the interrupted
 * read.
 */
const KILLS_WITH_GOOGLE = 40;

await main(async () => {
  const [first, second] = process.argv.slice(2);
  const google = first === 'google';
  const embedded = first === 'embedded';
  const repetitions = first === 'repetitions';
  const usual = google ? DEFAULT_USERS : embedded ? DEFAULT_EMBEDDED_KILLS : DEFAULT_KILLS;
  const count = Number((google || embedded || repetitions ? second : first) ?? usual);
  if (!Number.isInteger(count) || count < 1) {
    console.error(
      'npm run faults [-- kills | embedded [kills] | google [users] | repetitions]: how much is broken; 200, 20 and 200 without a number',
    );
    return 64;
  }
  await ensureInstalled();
  await build({ everything: false });
  // Loaded late, because it needs the dependencies.
  const { mongodEnvironment, runTests } = await import('./run-tests.mjs');
  const env = {
    ...(google || embedded ? {} : await mongodEnvironment()),
    HEALTHD_TEST_PROGRAMS: 'built',
    HEALTHD_TEST_EXTENT: 'long',
    HEALTHD_FAULTS_KILLS: String(count),
    HEALTHD_FAULTS_USERS: String(google ? count : DEFAULT_USERS),
    HEALTHD_FAULTS_EMBEDDED_KILLS: String(embedded ? count : DEFAULT_EMBEDDED_KILLS),
    HEALTHD_FAULTS_GOOGLE_KILLS: String(KILLS_WITH_GOOGLE),
  };
  const counts = countsOf(await runTests({ paths: pathsOf({ google, embedded, repetitions }), env }));
  console.log(summaryOf(counts));
  return counts.failures.length === 0 ? 0 : 1;
});

/** @param {{ google: boolean, embedded: boolean, repetitions: boolean }} only */
function pathsOf({ google, embedded, repetitions }) {
  if (repetitions) return repeatingTests();
  if (google) return ['test/faults/google.test.ts'];
  return embedded ? ['test/faults/embedded.test.ts'] : ['test/faults'];
}

/** Returns the test files with a long form, which use test/support/extent.ts. */
function repeatingTests() {
  const files = filesBelow(['daemon/src', 'packages', 'test/api', 'test/e2e'].map((path) => join(root, path)));
  return files.filter(
    (file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes("/support/extent.js'"),
  );
}
