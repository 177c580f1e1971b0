// `npm run mutants [-- room …] [--since <commit> [--minutes N]]`: makes small changes to the code, one by one, and counts
// the changes that tests detect. A complete room takes between half a minute and hours. With --since it mutates only
// changed lines, until the time is used up.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { main, root, say } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { filesOf, ROOMS } from './mutant-folders.mjs';

/** Percentage of the mutants that tests must detect. */
const WANTED = { deciding: 85, other: 80 };
/** Additional time after which a mutant counts as an endless loop. The next mutants run in a new process. */
const TIME_BEYOND_USUAL_MS = 10_000;
/** Usual time of one mutant whose tests need no database, and of a room's first test run. */
const SECONDS = { mutant: 0.5, room: 15 };
const DEFAULT_MINUTES = '10';
/** Blank lines and comments, which cannot be mutated. */
const WITHOUT_CODE = /^\s*(?:\/\/|\/?\*|$)/;

await main(async () => {
  const { values, positionals: asked } = parseArgs({
    options: { since: { type: 'string' }, minutes: { type: 'string', default: DEFAULT_MINUTES } },
    allowPositionals: true,
  });
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
  // Runs the long forms of the tests.
  process.env.HEALTHD_TEST_EXTENT = 'long';
  const names = asked.length > 0 ? asked : Object.keys(ROOMS);
  const work =
    values.since === undefined
      ? names.map((name) => ({ name, files: ROOMS[name].mutate }))
      : changedLines(names, values.since, Number(values.minutes) * 60);
  const lines = [];
  for (const { name, files } of work) {
    lines.push(lineOf(name, await mutate(name, files)));
    say(lines.at(-1));
  }
  console.log(['room              score  noticed  by time  overlooked', ...lines].join('\n'));
  return 0;
});

/**
 * Returns the lines of rooms that changed since a commit, smallest changes first, until the time is used up. Prints the
 * skipped rooms and the changed sources without a room.
 * @returns {{ name: string, files: string[] }[]} files with ranges of lines
 */
function changedLines(names, commit, seconds) {
  const changed = changesSince(commit);
  const inRooms = new Set();
  const rooms = names.flatMap((name) => {
    const files = filesOf(ROOMS[name].mutate, root).filter((file) => changed.has(file));
    for (const file of files) inRooms.add(file);
    const ranges = files.flatMap((file) => changed.get(file).map(([from, to]) => ({ file, from, to })));
    const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    return count === 0 ? [] : [{ name, ranges, count, each: ROOMS[name].seconds ?? SECONDS.mutant }];
  });
  const work = [];
  let left = seconds;
  for (const { name, ranges, count, each } of rooms.sort((a, b) => a.count * a.each - b.count * b.each)) {
    left -= SECONDS.room + each;
    const files = [];
    for (const { file, from, to } of ranges) {
      const fitting = Math.min(to, from + Math.floor(left / each) - 1);
      if (fitting < from) break;
      files.push(`${file}:${from}-${fitting}`);
      left -= (fitting - from + 1) * each;
    }
    const lines = files.length === 0 ? 'none' : 'some';
    if (left < each) say(`${name}: ${lines} of its ${count} changed lines fit into the time`);
    if (files.length > 0) work.push({ name, files });
  }
  const others = [...changed.keys()].filter((file) => !inRooms.has(file));
  if (asksForAll(names) && others.length > 0) say(`In no room: ${others.length} changed files, such as ${others[0]}`);
  return work;
}

function asksForAll(names) {
  return names.length === Object.keys(ROOMS).length;
}

/** @returns {Map<string, [number, number][]>} new or changed lines of code by source file: first and last line of each range */
function changesSince(commit) {
  const sources = [':(glob)cli/src/**/*.ts', ':(glob)daemon/src/**/*.ts', ':(glob)packages/*/src/**/*.ts'];
  const text = execFileSync('git', ['diff', '--unified=0', '--no-color', '--no-ext-diff', commit, '--', ...sources], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const changes = new Map();
  let file;
  let at = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('+++ ')) file = line.startsWith('+++ b/') ? line.slice('+++ b/'.length) : undefined;
    else if (line.startsWith('@@ ')) at = Number(/\+(\d+)/.exec(line)?.[1]);
    else if (line.startsWith('+')) {
      if (file !== undefined && !file.endsWith('.test.ts') && !WITHOUT_CODE.test(line.slice(1))) add(changes, file, at);
      at++;
    }
  }
  return changes;
}

function add(changes, file, line) {
  const places = changes.get(file) ?? [];
  changes.set(file, places);
  const last = places.at(-1);
  if (last?.[1] === line - 1) last[1] = line;
  else places.push([line, line]);
}

/**
 * @param {string} name of the room
 * @param {string[]} files globs, or files with ranges of lines
 * @returns {Promise<{ noticed: number, byTime: number, overlooked: number }>} byTime: part of `noticed`
 */
async function mutate(name, files) {
  process.env.HEALTHD_MUTANTS_TESTS = ROOMS[name].tests.join(' ');
  // Imported late, because it is one of the dependencies that this script installs.
  const { Stryker } = await import('@stryker-mutator/core');
  const mutants = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    mutate: [...files, '!**/*.test.ts'],
    // Excludes user-visible texts, and SQL, because a mutated statement would fail every test.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    // Mutants of module constants would each need a separate process.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: TIME_BEYOND_USUAL_MS,
    reporters: ['clear-text'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false, reportScoreTable: false },
    // Stryker cannot use this repository's compiler, so this setting keeps it from reading a tsconfig.
    tsconfigFile: 'no tsconfig',
    tempDirName: '.mutants',
    // Ignores data and leftovers of other runs.
    ignorePatterns: ['.healthd', 'coverage'],
  }).runMutationTest();
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return { noticed: count('Killed', 'Timeout'), byTime: count('Timeout'), overlooked: count('Survived', 'NoCoverage') };
}

function lineOf(name, { noticed, byTime, overlooked }) {
  const percent = (100 * noticed) / Math.max(1, noticed + overlooked);
  const least = ROOMS[name].decides ? WANTED.deciding : WANTED.other;
  if (noticed + overlooked === 0) return `${name.padEnd(16)} no mutants`;
  const wanted = percent < least ? `  (${least} % are wanted)` : '';
  return `${name.padEnd(16)} ${percent.toFixed(1).padStart(5)} %${String(noticed).padStart(8)}${String(byTime).padStart(9)}${String(overlooked).padStart(12)}${wanted}`;
}
