import { chmod } from 'node:fs/promises';

/** An account without rights on Linux and macOS alike: the one of nobody, whatever its number is there. */
const NOBODY = 65_534;

/** Runs `work` while this process may not read a file that only its owner may read. Root, who may read all, steps down. */
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
