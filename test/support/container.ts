import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Command prefix that isolates processes as a container does: they have separate process IDs, and all end with the
 * first process. Without root, requires a user namespace.
 */
export const IN_CONTAINER: readonly string[] = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']),
  '--pid',
  '--ipc',
  '--fork',
  '--mount-proc',
  '--kill-child',
];

/** Like {@link IN_CONTAINER}, but the first process outlives the command, as a container's init does. */
export const IN_CONTAINER_WITH_INIT: readonly string[] = [
  ...IN_CONTAINER,
  'sh',
  '-c',
  '"$@"; exec sleep infinity',
  'sh',
];

/** Reason why containers are unavailable, for the names of skipped tests; undefined if they are available. */
export function missingContainers(): string | undefined {
  const [command = '', ...args] = IN_CONTAINER;
  try {
    execFileSync(command, [...args, 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const reason = (error as { stderr?: Buffer }).stderr?.toString().trim() || `${command} cannot be run`;
    return ` (skipped, needs process namespaces: ${reason})`;
  }
}

/** Returns the IDs of a process's children, as this namespace numbers them. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
