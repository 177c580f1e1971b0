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
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
