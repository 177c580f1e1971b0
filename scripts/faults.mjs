// `npm run faults [-- kills]`: the long form of the fault tests, 200 kills of each kind unless told otherwise.
// `npm run faults -- google [people]`: of those alone that read from a vendor whose answers fail, 200 people without it.
import { build } from './build.mjs';
import { main } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

const DEFAULT_KILLS = 200;
const DEFAULT_PEOPLE = 200;
/** Kills while people are read: a start takes longer than what it disturbs. */
const KILLS_AMONG_PEOPLE = 40;

await main(async () => {
  const [first, second] = process.argv.slice(2);
  const google = first === 'google';
  const count = Number((google ? second : first) ?? (google ? DEFAULT_PEOPLE : DEFAULT_KILLS));
  if (!Number.isInteger(count) || count < 1) {
    console.error('npm run faults [-- kills | google [people]]: how much is broken; 200 without a number');
    return 64;
  }
  await ensureInstalled();
  await build({ everything: false });
  // Only now: what it uses comes with the dependencies.
  const { mongodEnvironment, runTests, summaryOf } = await import('./run-tests.mjs');
  const env = {
    ...(google ? {} : await mongodEnvironment()),
    HEALTHD_FAULTS_KILLS: String(count),
    HEALTHD_FAULTS_PEOPLE: String(google ? count : DEFAULT_PEOPLE),
    HEALTHD_FAULTS_GOOGLE_KILLS: String(KILLS_AMONG_PEOPLE),
  };
  const counts = await runTests({
    paths: google ? ['test/faults/google.test.ts', 'test/faults/google-quota.test.ts'] : ['test/faults'],
    env,
  });
  console.log(summaryOf(counts));
  return counts.failures.length === 0 ? 0 : 1;
});
