// `npm run mutants [-- room …]`: changes the code in small ways, one by one, and counts how many changes the tests
// detect. Takes from half a minute to many minutes per room. Not part of `npm test` or of the CI.
import { build } from './build.mjs';
import { main, root, say } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { ROOMS } from './mutant-rooms.mjs';

const WANTED_PERCENT = 85;
/** An endless mutant is detected by the time-out of its tests, which then run in a new process. */
const TIME_BEYOND_USUAL_MS = 10_000;

await main(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !Object.hasOwn(ROOMS, name));
  if (unknown.length > 0) {
    console.error(
      `npm run mutants [-- room …]: no room ${unknown.join(', ')}; there are ${Object.keys(ROOMS).join(', ')}`,
    );
    return 64;
  }
  await ensureInstalled();
  await build({ everything: false });
  process.chdir(root);
  // The tests must detect what their long forms detect.
  process.env.HEALTHD_TEST_EXTENT = 'long';
  const lines = [];
  for (const name of asked.length > 0 ? asked : Object.keys(ROOMS)) {
    lines.push(lineOf(name, await mutate(name)));
    say(lines.at(-1));
  }
  console.log(['room              score  noticed  by time  overlooked', ...lines].join('\n'));
  return 0;
});

/** @returns {Promise<{ noticed: number, byTime: number, overlooked: number }>} byTime is a part of noticed */
async function mutate(name) {
  const { mutate: files, tests } = ROOMS[name];
  process.env.HEALTHD_MUTANTS_TESTS = tests.join(' ');
  // Loaded late, because it is one of the dependencies.
  const { Stryker } = await import('@stryker-mutator/core');
  const mutants = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    mutate: [...files, '!**/*.test.ts'],
    // Excludes user texts and SQL, whose removal every test detects.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    // Values of modules are created before a mutant is activated; each would need a separate process.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: TIME_BEYOND_USUAL_MS,
    reporters: ['clear-text'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false, reportScoreTable: false },
    // Not read, because this repository's compiler has no API for the tool.
    tsconfigFile: 'no tsconfig',
    tempDirName: '.mutants',
    // Data folders, and leftovers of other runs.
    ignorePatterns: ['.healthd', 'coverage'],
  }).runMutationTest();
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return { noticed: count('Killed', 'Timeout'), byTime: count('Timeout'), overlooked: count('Survived', 'NoCoverage') };
}

function lineOf(name, { noticed, byTime, overlooked }) {
  const percent = (100 * noticed) / Math.max(1, noticed + overlooked);
  const wanted = ROOMS[name].decides && percent < WANTED_PERCENT ? `  (${WANTED_PERCENT} % are wanted)` : '';
  return `${name.padEnd(16)} ${percent.toFixed(1).padStart(5)} %${String(noticed).padStart(8)}${String(byTime).padStart(9)}${String(overlooked).padStart(12)}${wanted}`;
}
