import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * What separates processes as a container does: process ids of their own, and when the first process ends, all end. Put
 * before a command. An account other than root needs a user namespace for that.
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

/** The same with a first process that outlives the command, as an init of the container does. */
export const IN_CONTAINER_WITH_INIT: readonly string[] = [
  ...IN_CONTAINER,
  'sh',
  '-c',
  '"$@"; exec sleep infinity',
  'sh',
];

/** Why there are no containers here, for the name of the tests that are skipped; undefined when there are. */
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

/** The processes started by this one, by the ids that they have here. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
