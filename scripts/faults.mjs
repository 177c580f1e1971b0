// `npm run faults [-- kills]`: the long form of the fault tests, 200 kills of each kind unless told otherwise.
import { build } from './build.mjs';
import { main } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

const DEFAULT_KILLS = 200;

await main(async () => {
  const kills = Number(process.argv[2] ?? DEFAULT_KILLS);
  if (!Number.isInteger(kills) || kills < 1) {
    console.error('npm run faults [-- kills]: the number of kills in each run, 200 without it');
    return 64;
  }
  await ensureInstalled();
  await build({ everything: false });
  // Only now: what it uses comes with the dependencies.
  const { mongodEnvironment, runTests, summaryOf } = await import('./run-tests.mjs');
  const env = { ...(await mongodEnvironment()), HEALTHD_FAULTS_KILLS: String(kills) };
  const counts = await runTests({ paths: ['test/faults'], env });
  console.log(summaryOf(counts));
  return counts.failed === 0 ? 0 : 1;
});
