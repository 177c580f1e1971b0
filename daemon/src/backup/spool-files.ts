import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './failure.js';

/** An open spool file. The backup can read it to the end even if the file is deleted in the meantime. */
export interface HeldFile {
  name: string;
  handle: FileHandle;
}

/**
 * Opens existing spool files. Does not follow symbolic links, whose targets do not belong to the service.
 * @throws BackupError `spool_unreadable`
 */
export async function holdSpoolFiles(spoolDir: string, names: readonly string[]): Promise<HeldFile[]> {
  const held: HeldFile[] = [];
  try {
    for (const name of names) {
      const handle = await openFile(join(spoolDir, name));
      if (handle) held.push({ name, handle });
    }
    return held;
  } catch (error) {
    await releaseFiles(held);
    throw error;
  }
}

export async function releaseFiles(held: readonly HeldFile[]): Promise<void> {
  for (const { handle } of held) await handle.close().catch(() => undefined);
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw code === 'ELOOP' ? foreignFile(path) : error;
  });
  if (!handle) return undefined;
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw foreignFile(path);
}

function foreignFile(path: string): BackupError {
  return new BackupError('spool_unreadable', `${path} is not a file of the service. Remove it, then back up again.`);
}
