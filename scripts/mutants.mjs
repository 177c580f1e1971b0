// `npm run mutants [-- area …] [--sample N [--seed S] [--idle]] [--since <commit>] [--minutes N]`: makes small changes to
// the code, one by one, and counts the changes that tests detect. A complete area takes between half a minute and hours.
// With --sample it makes N random changes per area, with --since it changes only changed lines, until the time is used up.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { main, root, say } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { filesOf, AREAS } from './mutant-folders.mjs';

/** Percentage of the mutants that tests must detect. */
const WANTED = { deciding: 85, other: 80 };
/** Additional time after which a mutant counts as an endless loop. The next mutants run in a new process. */
const TIME_BEYOND_USUAL_MS = 10_000;
/** Usual time of one mutant whose tests need no database, and of an area's first test run. */
const SECONDS = { mutant: 0.5, area: 15 };
const DEFAULT_MINUTES = '10';
/** Width of a 95 % interval in standard deviations. */
const DEVIATIONS = 1.96;
/** Maximum number of code characters per line in the list of survivors. */
const SHOWN = 70;
/** Blank lines and comments, which cannot be mutated. */
const WITHOUT_CODE = /^\s*(?:\/\/|\/?\*|$)/;

await main(async () => {
  const { values, positionals: asked } = parseArgs({
    options: {
      since: { type: 'string' },
      minutes: { type: 'string', default: DEFAULT_MINUTES },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      idle: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const unknown = asked.filter((name) => !Object.hasOwn(AREAS, name));
  if (unknown.length > 0) {
    console.error(
      `npm run mutants [-- area …]: no area ${unknown.join(', ')}; there are ${Object.keys(AREAS).join(', ')}`,
    );
    return 64;
  }
  await ensureInstalled();
  await build({ everything: false });
  process.chdir(root);
  const names = asked.length > 0 ? asked : Object.keys(AREAS);
  const work =
    values.since === undefined
      ? names.map((name) => ({ name, files: AREAS[name].mutate }))
      : changedLines(names, values.since, Number(values.minutes) * 60);
  if (values.sample !== undefined) process.env.HEALTHD_MUTANTS_SEED = values.seed;
  const lines = [];
  const detections = new Map();
  for (const { name, files } of work) {
    const size = values.sample && sampleSize(name, Number(values.sample), Number(values.minutes) * 60);
    const result = await mutate(name, files, { size, runsEveryTest: values.idle });
    for (const survivor of result.survivors) console.log(survivor);
    for (const [test, count] of result.detections) detections.set(test, (detections.get(test) ?? 0) + count);
    lines.push(lineOf(name, result));
    say(lines.at(-1));
  }
  const idle = [...detections].filter(([, count]) => count === 0).map(([test]) => test);
  if (values.idle) console.log(['Tests that detected no mutant:', ...idle.sort()].join('\n  '));
  const seed = values.sample === undefined ? '' : `  (seed ${values.seed})`;
  console.log([`area              score  95 % interval  mutants  by time  overlooked${seed}`, ...lines].join('\n'));
  return 0;
});

/** Returns the number of mutants in an area's sample: fewer than requested if they do not fit into the time. */
function sampleSize(name, requested, seconds) {
  return Math.max(1, Math.min(requested, Math.floor(seconds / (AREAS[name].seconds ?? SECONDS.mutant))));
}

/**
 * Returns the lines of areas that changed since a commit, smallest changes first, until the time is used up. Prints the
 * skipped areas and the changed sources without an area.
 * @returns {{ name: string, files: string[] }[]} files with ranges of lines
 */
function changedLines(names, commit, seconds) {
  const changed = changesSince(commit);
  const inAreas = new Set();
  const areas = names.flatMap((name) => {
    const files = filesOf(AREAS[name].mutate, root).filter((file) => changed.has(file));
    for (const file of files) inAreas.add(file);
    const ranges = files.flatMap((file) => changed.get(file).map(([from, to]) => ({ file, from, to })));
    const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    return count === 0 ? [] : [{ name, ranges, count, each: AREAS[name].seconds ?? SECONDS.mutant }];
  });
  const work = [];
  let left = seconds;
  for (const { name, ranges, count, each } of areas.sort((a, b) => a.count * a.each - b.count * b.each)) {
    left -= SECONDS.area + each;
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
  const others = [...changed.keys()].filter((file) => !inAreas.has(file));
  if (asksForAll(names) && others.length > 0) say(`In no area: ${others.length} changed files, such as ${others[0]}`);
  return work;
}

function asksForAll(names) {
  return names.length === Object.keys(AREAS).length;
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
 * @param {string} name of the area
 * @param {string[]} files globs, or files with ranges of lines
 * @param {{ size?: number, runsEveryTest: boolean }} options size: of the random sample; runsEveryTest: run every
 * test of a mutant instead of stopping at the first failure
 * @returns {Promise<{ noticed: number, byTime: number, overlooked: number, survivors: string[],
 *   detections: Map<string, number> }>} byTime: mutants of `noticed` that timed out; detections: number of mutants that each test detected
 */
async function mutate(name, files, { size, runsEveryTest }) {
  process.env.HEALTHD_MUTANTS_TESTS = AREAS[name].tests.join(' ');
  if (size !== undefined) process.env.HEALTHD_MUTANTS_SAMPLE = String(size);
  // Imported late, because this script installs Stryker with the other dependencies.
  const { Stryker } = await import('@stryker-mutator/core');
  const report = join(root, '.healthd/mutants', `${name.replaceAll(' ', '-')}.json`);
  mkdirSync(join(root, '.healthd/mutants'), { recursive: true });
  const mutants = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts/select-mutants.mjs')],
    checkers: ['selected'],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    mutate: [...files, '!**/*.test.ts'],
    // Excludes user-visible texts, and SQL, because a mutated statement would fail every test.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    disableBail: runsEveryTest,
    // Skips mutants of module constants, because each mutant would need a separate process.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: TIME_BEYOND_USUAL_MS,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    // Stryker cannot use this repository's compiler, so this setting keeps it from reading a tsconfig.
    tsconfigFile: 'no tsconfig',
    tempDirName: '.mutants',
    // Ignores data and leftovers of other runs.
    ignorePatterns: ['.healthd', 'coverage'],
  }).runMutationTest();
  const having = (...statuses) => mutants.filter(({ status }) => statuses.includes(status));
  const failures = having('Survived').filter(failsInHook);
  const overlooked = having('Survived', 'NoCoverage').filter((mutant) => !failures.includes(mutant));
  return {
    noticed: having('Killed', 'Timeout').length + failures.length,
    byTime: having('Timeout').length,
    overlooked: overlooked.length,
    survivors: overlooked.map(placeOf).sort(),
    detections: detectionsOf(JSON.parse(readFileSync(report, 'utf8'))),
  };
}

/**
 * True if no test that runs the changed code completed, because a hook of the test's file failed, for example a set-up.
 * Stryker counts this mutant as a survivor, because Stryker ignores the errors of files.
 */
function failsInHook({ coveredBy = [], testsCompleted }) {
  return coveredBy.length > 0 && testsCompleted === 0;
}

/** @returns {Map<string, number>} mutants that each test detected */
function detectionsOf({ files, testFiles }) {
  const tests = Object.entries(testFiles ?? {}).flatMap(([file, { tests: ofFile }]) =>
    ofFile.map(({ id, name }) => [id, `${file}: ${name}`]),
  );
  const counts = new Map(tests.map(([, name]) => [name, 0]));
  const names = new Map(tests);
  for (const { mutants } of Object.values(files)) {
    for (const test of mutants.flatMap(({ killedBy }) => killedBy ?? [])) {
      const name = names.get(test);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns a survivor's file and line, its type, and the code before and after the change. */
function placeOf({ fileName, location: { start, end }, mutatorName, replacement, status }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  // Cuts the end first, because both columns may belong to the same line.
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  const shown = (code) => {
    const line = code.replace(/\s+/g, ' ');
    return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
  };
  const uncovered = status === 'NoCoverage' ? '  (no test runs it)' : '';
  const place = `${relative(root, fileName)}:${start.line}:${start.column}`;
  return `${place}  ${mutatorName}: ${shown(lines.join('\n'))}  →  ${shown(replacement)}${uncovered}`;
}

function lineOf(name, { noticed, byTime, overlooked }) {
  const count = noticed + overlooked;
  if (count === 0) return `${name.padEnd(16)} no mutants`;
  const percent = (100 * noticed) / count;
  const [low, high] = intervalOf(noticed, count);
  const least = AREAS[name].decides ? WANTED.deciding : WANTED.other;
  const wanted = percent < least ? `  (${least} % are wanted)` : '';
  const columns = [`${percent.toFixed(1)} %`.padStart(7), `${low}–${high} %`.padStart(14)];
  return `${name.padEnd(16)} ${columns.join(' ')}${String(count).padStart(9)}${String(byTime).padStart(9)}${String(overlooked).padStart(12)}${wanted}`;
}

/** Returns the 95 % interval (Wilson) of the score that a sample estimates, in whole percents. */
function intervalOf(noticed, count) {
  const z2 = DEVIATIONS ** 2;
  const share = noticed / count;
  const middle = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = (DEVIATIONS * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count ** 2))) / (1 + z2 / count);
  return [middle - half, middle + half].map((value) => Math.round(100 * value));
}
