import { statfs } from 'node:fs/promises';
import { MS_PER_MINUTE } from '@healthd/model';

/** Postgres allocates its write-ahead log in files of this size and cannot store anything with less space. */
const NEEDED_BYTES = 16 * 1024 * 1024;
/**
 * Time for which a failed write marks the disk as full. Each failed write renews the mark.
 */
const MARKED_FULL_MS = MS_PER_MINUTE;

/** Detects a full disk, on which only reading works. */
export interface DiskSpace {
  /** Called for a write that failed because the disk is full, here or at the database server. */
  foundFull(): void;
  isFull(): Promise<boolean>;
}

/** @param folders folders to which this process or its embedded database writes */
export function watchDiskSpace(folders: readonly string[], now: () => number = Date.now): DiskSpace {
  let foundAt = Number.NEGATIVE_INFINITY;
  return {
    foundFull() {
      foundAt = now();
    },
    async isFull() {
      if (now() - foundAt < MARKED_FULL_MS) return true;
      const free = await Promise.all(folders.map(freeBytes));
      return free.some((bytes) => bytes < NEEDED_BYTES);
    },
  };
}

/** Returns infinity for an unreadable folder, which does not mean that the disk is full. */
async function freeBytes(folder: string): Promise<number> {
  return (await diskSpace(folder))?.freeBytes ?? Number.POSITIVE_INFINITY;
}

/** Returns the space of the disk with this folder; undefined if it cannot be read. */
export async function diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Returns the folders that this process and its embedded database write to. */
export function writtenFolders(
  { spoolDir, dataDir }: { spoolDir: string; dataDir: string },
  { embedded }: { embedded?: unknown },
): { holds: 'uploads' | 'database'; folder: string }[] {
  const uploads = { holds: 'uploads', folder: spoolDir } as const;
  return embedded ? [uploads, { holds: 'database', folder: dataDir }] : [uploads];
}
