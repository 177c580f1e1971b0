import { statfs } from 'node:fs/promises';
import { MS_PER_MINUTE } from '@healthd/model';

/** Postgres takes its log of changes in pieces of this size; with less it stores nothing more. */
const NEEDED_BYTES = 16 * 1024 * 1024;
/** How long a write that found no room is believed: who still writes meets the next one within that time. */
const BELIEVED_MS = MS_PER_MINUTE;

/** Whether there is room to store anything; reading works without. */
export interface DiskRoom {
  /** Called for a write that found no room, here or at the server of the database. */
  foundFull(): void;
  isFull(): Promise<boolean>;
}

/** @param folders where this process or its own database writes */
export function watchDiskRoom(folders: readonly string[], now: () => number = Date.now): DiskRoom {
  let foundAt = Number.NEGATIVE_INFINITY;
  return {
    foundFull() {
      foundAt = now();
    },
    async isFull() {
      if (now() - foundAt < BELIEVED_MS) return true;
      const free = await Promise.all(folders.map(freeBytes));
      return free.some((bytes) => bytes < NEEDED_BYTES);
    },
  };
}

/** A folder that cannot be looked at has faults of other kinds. */
async function freeBytes(folder: string): Promise<number> {
  return (await diskSpace(folder))?.freeBytes ?? Number.POSITIVE_INFINITY;
}

/** Bytes of the disk that holds a folder; undefined where it cannot be looked at. */
export async function diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Where this process writes; its database too, where it runs one of its own. */
export function writtenFolders(
  { spoolDir, dataDir }: { spoolDir: string; dataDir: string },
  { embedded }: { embedded?: unknown },
): { holds: 'uploads' | 'database'; folder: string }[] {
  const uploads = { holds: 'uploads', folder: spoolDir } as const;
  return embedded ? [uploads, { holds: 'database', folder: dataDir }] : [uploads];
}
