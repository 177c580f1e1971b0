import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError } from './errors.js';
import { birthMark, isAlive } from './process-identity.js';

interface Holder {
  pid: number;
  birthMark: string;
}

/** Held by the one daemon that uses a data directory. */
export interface DataLock {
  release(): Promise<void>;
}

/**
 * Takes the data directory for this process. What a killed process left behind is taken over.
 * @throws EmbeddedDatabaseError `data_directory_in_use` while another healthd lives in it
 */
export async function lockDataDirectory(dataDir: string): Promise<DataLock> {
  const path = join(dataDir, 'healthd.lock');
  // Not the process id: two containers on one volume may have the same.
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  const content = JSON.stringify({ pid: process.pid, birthMark: await birthMark(process.pid) } satisfies Holder);
  await writeFile(own, content, { mode: 0o600 });
  try {
    for (;;) {
      // A link appears with its content in one step; a file would be empty for a moment.
      if (await succeeds(link(own, path))) break;
      const found = await readFile(path, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      const holder = parse(found);
      if (holder !== undefined && (await holds(holder))) throw inUse(dataDir, holder);
      await removeAbandoned(dataDir, path, found);
    }
  } finally {
    await rm(own, { force: true });
  }
  return {
    async release() {
      if ((await readFile(path, 'utf8').catch(() => '')) === content) await rm(path, { force: true });
    },
  };
}

/** Two starters may judge the same lock abandoned; the later one must not throw away what the faster one has put there. */
async function removeAbandoned(dataDir: string, path: string, judged: string): Promise<void> {
  const aside = `${path}.abandoned.${process.pid}`;
  if (!(await succeeds(rename(path, aside)))) return;
  const moved = await readFile(aside, 'utf8');
  if (moved !== judged) await succeeds(link(aside, path));
  await rm(aside, { force: true });
  const holder = parse(moved);
  if (moved !== judged && holder !== undefined) throw inUse(dataDir, holder);
}

async function holds(holder: Holder): Promise<boolean> {
  if (!isAlive(holder.pid)) return false;
  const mark = await birthMark(holder.pid);
  return mark === '' || holder.birthMark === '' || mark === holder.birthMark;
}

function parse(content: string): Holder | undefined {
  try {
    const { pid, birthMark: mark } = JSON.parse(content) as Partial<Holder>;
    return typeof pid === 'number' && typeof mark === 'string' ? { pid, birthMark: mark } : undefined;
  } catch {
    return undefined;
  }
}

function inUse(dataDir: string, holder: Holder): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'data_directory_in_use',
    `The data directory ${dataDir} is in use by another healthd (process ${holder.pid}). ` +
      'Stop that one, or choose another directory with DATA_DIR.',
  );
}

async function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
