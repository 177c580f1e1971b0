import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * True if a process with this id runs. Excludes zombies: in a container without an init process an orphan remains one
 * forever.
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

/** Command line of a process; empty if it cannot be read. */
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

/** The program's name is in parentheses and may contain spaces. The state is field 0 after it. */
function fieldsAfterName(status: string): string[] {
  return status.slice(status.lastIndexOf(')') + 2).split(' ');
}
