import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** Minimum free space. A complete run uses at most half of it at once. */
const FOLDER_BYTES = 2 * 2 ** 30;
const MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Returns a folder in memory with enough space for a test run, if available. Nearly every test creates a database or
 * data directory with hundreds of files, which takes ten times as long on a disk.
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    const hasRoom = bavail * bsize >= FOLDER_BYTES && process.availableMemory() >= MEMORY_BYTES;
    return hasRoom && runsPrograms() ? FOLDER : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if the folder allows programs to run. The Postgres binaries are copied next to its data if they are below /root.
 */
function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, where]) => where === FOLDER)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
