// `npm test` runs all tests except the whole-program tests, which `npm run test:programs` runs. `npm test -- paths`
// runs any test files.
// The last line is `N passed, N failed`.
import { build } from './build.mjs';
import { main } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { countsOf, summaryOf } from './test-counts.mjs';

await main(async () => {
  try {
    await ensureInstalled();
    await build({ everything: false });
  } catch (error) {
    // Prevents success if the run never starts.
    process.once('exit', () => console.log('0 passed, 1 failed'));
    throw error;
  }
  // Loaded late, because it needs the dependencies.
  const { mongodEnvironment, PROGRAM_TEST_PARTS, PROGRAM_TESTS, runTests } = await import('./run-tests.mjs');
  const args = process.argv.slice(2);
  const except = args.length === 0 ? PROGRAM_TESTS : [];
  const parts = args[0] === '--programs' ? PROGRAM_TEST_PARTS : [{ paths: args, except }];
  const env = await mongodEnvironment();
  const runs = [];
  for (const part of parts) runs.push(await runTests({ ...part, env }));
  const counts = countsOf({
    files: runs.flatMap(({ files }) => files),
    outside: runs.flatMap(({ outside }) => outside),
  });
  if (except.length > 0) console.log(`Not run: ${except.join(', ')} (npm run test:programs).`);
  console.log(summaryOf(counts));
  return counts.failures.length === 0 ? 0 : 1;
});
