import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * True if a process with this id runs. Excludes zombies, because an ended orphan stays a zombie forever in a container
 * without an init process.
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

/** Returns the command line of a process; empty if the command line cannot be read. */
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

/** Returns the fields after the program's name, which is in parentheses and may contain spaces. The state is first. */
function fieldsAfterName(status: string): string[] {
  return status.slice(status.lastIndexOf(')') + 2).split(' ');
}
