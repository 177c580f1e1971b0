import { chmod } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';

/** Id of the account `nobody`, which has no rights on Linux and macOS. */
const NOBODY = 65_534;

/** Reason why this process cannot drop its rights, as under `npm run mutants`. */
export const NO_STRANGER =
  process.geteuid?.() === 0 && !isMainThread ? 'a thread cannot give up the rights of root' : undefined;

/** Runs `work` while this process may not read a file that only its owner may read. Root drops its privileges. */
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
