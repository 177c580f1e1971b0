import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = { healthd: join(ROOT, 'daemon'), healthctl: join(ROOT, 'cli') };
/** What has native code, or files that it looks for beside itself. */
const KEPT_APART =
  /^(?:node:|@node-rs\/argon2|@healthd\/embedded-postgres|mongodb|pino$|pino-pretty|pg-native|pg-hstore|umzug)/;

/** The programs as they are built and shipped. */
export const BUILT = {
  healthd: join(FOLDERS.healthd, 'dist/main.js'),
  healthctl: join(FOLDERS.healthctl, 'dist/main.js'),
};

/** Threads and files of a package are looked for where its module stood. */
const whereItStood = {
  name: 'where-it-stood',
  transform(code: string, id: string) {
    if (!id.startsWith(ROOT) || id.includes('node_modules') || !code.includes('import.meta.')) return undefined;
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
  },
};

/**
 * The programs for tests that start them often: the same, each gathered from some 900 files into a few, which saves half
 * of the processor time that a start takes. HEALTHD_TEST_PROGRAMS=built has them as they are built, as `npm run faults`
 * does. Tests that are about the programs as people start them take BUILT.
 */
export const PROGRAMS = process.env.HEALTHD_TEST_PROGRAMS === 'built' ? BUILT : await gatheredPrograms();

async function gatheredPrograms(): Promise<typeof BUILT> {
  const digest = digestOfBuild();
  return { healthd: await gathered('healthd', digest), healthctl: await gathered('healthctl', digest) };
}

/** Once for each build: the folder is named by it. A program that was never built keeps its name, for who says so. */
async function gathered(program: keyof typeof BUILT, digest: string): Promise<string> {
  const entry = BUILT[program];
  if (!existsSync(entry)) return entry;
  // Inside node_modules, where what is kept apart is found.
  const all = join(FOLDERS[program], 'node_modules/.gathered');
  const folder = join(all, digest);
  if (!existsSync(folder)) {
    const { rolldown } = await import('rolldown');
    const unfinished = `${folder}.${process.pid}`;
    const work = await rolldown({ input: entry, platform: 'node', external: KEPT_APART, plugins: [whereItStood] });
    await work.write({ dir: unfinished, format: 'esm' });
    await work.close();
    for (const name of readdirSync(all).filter((name) => !name.startsWith(digest)))
      rmSync(join(all, name), { recursive: true });
    putInPlace(unfinished, folder);
  }
  return join(folder, 'main.js');
}

/** Another process of the tests may have been faster; both have made the same. */
function putInPlace(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** Changes with every build and every installation. */
function digestOfBuild(): string {
  const folders = [
    ...Object.values(FOLDERS),
    ...readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name)),
  ];
  const digest = createHash('sha256');
  for (const dist of [...folders.map((folder) => join(folder, 'dist')), join(ROOT, 'pnpm-lock.yaml')]) {
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
