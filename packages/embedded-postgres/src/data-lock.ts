import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './errors.js';
import { type FileLock, lockHolder, tryFileLock } from './file-lock.js';
import { holderText, type LockHolder } from './lock-holder.js';

export interface DataLockOptions {
  /** Name of the command that takes the lock, if the command ends on its own. */
  command?: LockHolder['command'];
  /** Receives one line that names the awaited backup. */
  onProgress?: ((line: string) => void) | undefined;
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
}

const RETRY_MS = 500;

/**
 * Locks the data directory for this process; the kernel releases the lock when the process ends. Waits for a backup,
 * which ends automatically.
 * @throws EmbeddedDatabaseError `data_directory_in_use` if another healthd uses the data directory
 */
export async function lockDataDirectory(
  dataDir: string,
  { command, onProgress, signal }: DataLockOptions = {},
): Promise<FileLock> {
  const path = join(dataDir, 'healthd.lock');
  for (let attempts = 0; ; attempts++) {
    const lock = await tryFileLock(path, command);
    if (lock !== undefined) return lock;
    const holder = lockHolder(path);
    if (holder?.command !== 'backup' || command === 'backup') throw inUse(dataDir, holder);
    if (attempts === 0)
      onProgress?.(`Waiting for \`healthd backup\` (${holderText(holder)}), which is reading ${dataDir}`);
    await sleep(RETRY_MS, undefined, signal && { signal });
  }
}

function inUse(dataDir: string, holder: LockHolder | undefined): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'data_directory_in_use',
    `Another healthd (${holderText(holder)}) is using the data directory ${dataDir}. ` +
      'Stop it, or set DATA_DIR to another directory.',
  );
}
