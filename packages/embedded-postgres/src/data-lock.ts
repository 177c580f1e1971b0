import { join } from 'node:path';
import { EmbeddedDatabaseError } from './errors.js';
import { type FileLock, lockHolder, tryFileLock } from './file-lock.js';
import { holderText } from './lock-holder.js';

/**
 * Takes the data directory for this process alone; released by the kernel when the process ends.
 * @throws EmbeddedDatabaseError `data_directory_in_use` while another healthd lives in it
 */
export async function lockDataDirectory(dataDir: string): Promise<FileLock> {
  const path = join(dataDir, 'healthd.lock');
  const lock = await tryFileLock(path);
  if (lock !== undefined) return lock;
  throw new EmbeddedDatabaseError(
    'data_directory_in_use',
    `The data directory ${dataDir} is in use by another healthd (${holderText(lockHolder(path))}). ` +
      'Stop that one, or choose another directory with DATA_DIR.',
  );
}
