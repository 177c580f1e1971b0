import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './errors.js';
import { type FileLock, lockHolder, tryFileLock } from './file-lock.js';
import { holderText, type LockHolder } from './lock-holder.js';

export interface DataLockOptions {
  /** The command that takes the lock, if it ends by itself. */
  command?: LockHolder['command'];
  /** Is given one line that names the backup which is waited for. */
  onProgress?: ((line: string) => void) | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

const LOOK_AGAIN_MS = 500;

/**
 * Takes the data directory for this process alone; released by the kernel when the process ends. Waits for a backup, which ends
 * by itself.
 * @throws EmbeddedDatabaseError `data_directory_in_use` while another healthd lives in it
 */
export async function lockDataDirectory(
  dataDir: string,
  { command, onProgress, signal }: DataLockOptions = {},
): Promise<FileLock> {
  const path = join(dataDir, 'healthd.lock');
  for (let looks = 0; ; looks++) {
    const lock = await tryFileLock(path, command);
    if (lock !== undefined) return lock;
    const holder = lockHolder(path);
    if (holder?.command !== 'backup' || command === 'backup') throw inUse(dataDir, holder);
    if (looks === 0) onProgress?.(`Waiting for \`healthd backup\` (${holderText(holder)}), which reads ${dataDir}`);
    await sleep(LOOK_AGAIN_MS, undefined, signal && { signal });
  }
}

function inUse(dataDir: string, holder: LockHolder | undefined): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'data_directory_in_use',
    `The data directory ${dataDir} is in use by another healthd (${holderText(holder)}). ` +
      'Stop that one, or choose another directory with DATA_DIR.',
  );
}
