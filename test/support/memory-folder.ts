import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** A whole run has at most half of that there at the same time. */
const FOLDER_BYTES = 2 * 2 ** 30;
const MEMORY_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory with room for the files of a test run, where there is one. Nearly every test makes a database or a
 * data directory of its own: hundreds of files, for which a disk takes ten times as long.
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
 * Whether programs may be started there: the binaries of Postgres are copied beside its data when they are below /root.
 */
function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, where]) => where === FOLDER)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
