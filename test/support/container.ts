import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Command prefix that isolates processes like a container: they have separate process ids, and all end with the first
 * process. Without root it needs a user namespace.
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

/** Like {@link IN_CONTAINER}, with a first process that outlives the command, like a container's init. */
export const IN_CONTAINER_WITH_INIT: readonly string[] = [
  ...IN_CONTAINER,
  'sh',
  '-c',
  '"$@"; exec sleep infinity',
  'sh',
];

/** Reason why containers are unavailable, for the names of skipped tests; otherwise undefined. */
export function missingContainers(): string | undefined {
  const [command = '', ...args] = IN_CONTAINER;
  try {
    execFileSync(command, [...args, 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim() || `${command} cannot be run`;
    return ` (skipped, needs process namespaces: ${said})`;
  }
}

/** Returns the child processes, by their ids in this namespace. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
