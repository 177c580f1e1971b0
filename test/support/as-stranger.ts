import { chmod } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';

/** User ID of the account `nobody`, which has no privileges on Linux and macOS. */
const NOBODY = 65_534;

/** Reason why this process cannot drop its privileges, as under `npm run mutants`; undefined if it can. */
export const NO_STRANGER =
  process.geteuid?.() === 0 && !isMainThread ? 'a thread cannot give up the rights of root' : undefined;

/**
 * Runs `work` while this process cannot read a file that only its owner may read. A process of root drops its
 * privileges. Other processes remove the file's permissions.
 */
export async function asStranger<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) {
    await chmod(path, 0);
    return work();
  }
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
