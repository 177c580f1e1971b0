import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../failure.js';
import { unwritable } from './profile-trouble.js';

/** Age from which a lock counts as abandoned by a killed process. No process holds the lock this long. */
const STALE_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 40_000;
const RETRY_MS = 50;

/** Runs `work` while no other process holds the lock file. @throws CliError `profile_locked`, `profile_unwritable` */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomUUID()}`;
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  while (!(await take(path, mark))) {
    await removeStale(path);
    if (Date.now() > deadline) {
      throw new CliError('profile_locked', `Another healthctl process has locked ${path}.`, {
        hint: 'Delete the file if no other healthctl is running.',
      });
    }
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    if ((await contentOf(path)) === mark) await rm(path, { force: true });
  }
}

async function take(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(mark);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(path, error);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  const holder = Number((await contentOf(path))?.split(' ')[0]);
  const abandoned = Number.isInteger(holder) && holder > 0 && !isRunning(holder);
  if (abandoned || Date.now() - found.mtimeMs > STALE_AFTER_MS) await rm(path, { force: true });
}

function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
