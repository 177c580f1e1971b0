import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { gather } from './gather.js';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = { healthd: join(ROOT, 'daemon'), healthctl: join(ROOT, 'cli') };
/** The built programs, as shipped. */
export const BUILT = {
  healthd: join(FOLDERS.healthd, 'dist/main.js'),
  healthctl: join(FOLDERS.healthctl, 'dist/main.js'),
};

const V8_FLAGS = join(FOLDERS.healthd, 'dist/app/v8-flags.js');

/**
 * The programs for tests that start them often, bundled from about 900 files into a few and compiled once.
 * This saves more than half of a start's processor time. HEALTHD_TEST_PROGRAMS=built selects the built files, as `npm
 * run faults` does. Tests of the shipped programs use BUILT.
 */
export const PROGRAMS = process.env.HEALTHD_TEST_PROGRAMS === 'built' ? BUILT : await gatheredPrograms();

async function gatheredPrograms(): Promise<typeof BUILT> {
  const digest = digestOfBuild();
  return { healthd: await gathered('healthd', digest), healthctl: await gathered('healthctl', digest) };
}

/**
 * Bundles a program once per build, into a folder named by the build's digest. A program that was never built keeps its
 * path, so that the caller can report it.
 */
async function gathered(program: keyof typeof BUILT, digest: string): Promise<string> {
  const entry = BUILT[program];
  if (!existsSync(entry)) return entry;
  // Inside node_modules, so that packages outside of the bundle are found.
  const all = join(FOLDERS[program], 'node_modules/.gathered');
  const folder = join(all, digest);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    await gather(entry, unfinished, { keepCompiled: true, flags: program === 'healthd' ? V8_FLAGS : undefined });
    for (const name of readdirSync(all).filter((name) => !name.startsWith(digest)))
      rmSync(join(all, name), { recursive: true });
    moveIntoPlace(unfinished, folder);
  }
  return join(folder, 'main.js');
}

/** Renames a finished folder, or deletes it if another test process has already created the same folder. */
function moveIntoPlace(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** Returns a digest that changes with every build and every installation. */
function digestOfBuild(): string {
  const folders = [
    ...Object.values(FOLDERS),
    ...readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name)),
  ];
  const digest = createHash('sha256');
  for (const dist of [
    ...folders.map((folder) => join(folder, 'dist')),
    join(ROOT, 'pnpm-lock.yaml'),
    join(import.meta.dirname, 'gather.ts'),
    join(import.meta.dirname, 'gathered-main.cjs'),
  ]) {
    for (const file of filesOf(dist)) {
      const { mtimeMs, size } = statSync(file);
      digest.update(`${file} ${mtimeMs} ${size}\n`);
    }
  }
  return digest.digest('hex').slice(0, 16);
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => join(path, name));
}
