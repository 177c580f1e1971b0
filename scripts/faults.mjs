// `npm run faults [-- kills]`: the long form of the fault tests, 200 kills of each kind by default.
// `npm run faults -- embedded [kills]`: of those alone that kill the service and the Postgres that came with it.
// `npm run faults -- repetitions`: the long form of tests that repeat themselves, such as those of properties.
// `npm run faults -- google [people]`: of those alone that read from a vendor whose answers fail, 200 people without it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, root } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { filesBelow } from './stamp.mjs';
import { countsOf, summaryOf } from './test-counts.mjs';

const DEFAULT_KILLS = 200;
/** Of the service and its Postgres: each waits for a start of both. */
const DEFAULT_EMBEDDED_KILLS = 20;
const DEFAULT_PEOPLE = 200;
/** Kills while people are read: a start takes longer than what it disturbs. */
const KILLS_AMONG_PEOPLE = 40;

await main(async () => {
  const [first, second] = process.argv.slice(2);
  const google = first === 'google';
  const embedded = first === 'embedded';
  const repetitions = first === 'repetitions';
  const usual = google ? DEFAULT_PEOPLE : embedded ? DEFAULT_EMBEDDED_KILLS : DEFAULT_KILLS;
  const count = Number((google || embedded || repetitions ? second : first) ?? usual);
  if (!Number.isInteger(count) || count < 1) {
    console.error(
      'npm run faults [-- kills | embedded [kills] | google [people] | repetitions]: how much is broken; 200, 20 and 200 without a number',
    );
    return 64;
  }
  await ensureInstalled();
  await build({ everything: false });
  // Only now: what it uses comes with the dependencies.
  const { mongodEnvironment, runTests } = await import('./run-tests.mjs');
  const env = {
    ...(google || embedded ? {} : await mongodEnvironment()),
    HEALTHD_TEST_PROGRAMS: 'built',
    HEALTHD_TEST_EXTENT: 'long',
    HEALTHD_FAULTS_KILLS: String(count),
    HEALTHD_FAULTS_PEOPLE: String(google ? count : DEFAULT_PEOPLE),
    HEALTHD_FAULTS_EMBEDDED_KILLS: String(embedded ? count : DEFAULT_EMBEDDED_KILLS),
    HEALTHD_FAULTS_GOOGLE_KILLS: String(KILLS_AMONG_PEOPLE),
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

/** The test files that have a long form: those that ask test/support/extent.ts. */
function repeatingTests() {
  const files = filesBelow(['daemon/src', 'packages', 'test/api', 'test/e2e'].map((path) => join(root, path)));
  return files.filter(
    (file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes("/support/extent.js'"),
  );
}
