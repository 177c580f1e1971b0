// `npm test [-- paths]`: everything once. The last line is `N passed, N failed`.
import { build } from './build.mjs';
import { main } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { countsOf, summaryOf } from './test-counts.mjs';

await main(async () => {
  try {
    await ensureInstalled();
    await build({ everything: false });
  } catch (error) {
    // Anyone who reads only the last line must not take a run that never began for a good one.
    process.once('exit', () => console.log('0 passed, 1 failed'));
    throw error;
  }
  // Only now: what it uses comes with the dependencies.
  const { mongodEnvironment, runTests } = await import('./run-tests.mjs');
  const counts = countsOf(await runTests({ paths: process.argv.slice(2), env: await mongodEnvironment() }));
  console.log(summaryOf(counts));
  return counts.failures.length === 0 ? 0 : 1;
});
