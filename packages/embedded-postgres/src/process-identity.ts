import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Whether a process with this id runs. One that has ended but was not collected by its parent does not: in a container
 * without an init process an orphan stays in that state for ever.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return fieldsAfterName(readFileSync(`/proc/${pid}/stat`, 'utf8'))[0] !== 'Z';
  } catch {
    return true;
  }
}

/** The command line of a process, empty when it cannot be read. */
export async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    const ps = promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']);
    return ps.then(
      ({ stdout }) => stdout,
      () => '',
    );
  }
}

/** The program's name is in parentheses and may hold spaces: the state is field 0 after it. */
function fieldsAfterName(status: string): string[] {
  return status.slice(status.lastIndexOf(')') + 2).split(' ');
}
