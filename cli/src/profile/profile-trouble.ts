import { CliError } from '../failure.js';

const MOVE_AWAY = 'Move it away and run `healthctl login`.';
const REPAIR = 'Repair it, or move it away and run `healthctl login`.';
const ANOTHER_FOLDER = 'Make the file and its folder yours, or set XDG_CONFIG_HOME to a folder of yours.';

/** A profile that is there and cannot be used; nothing overwrites it. */
export function unreadable(path: string, cause: unknown): CliError {
  const { reason, hint } = troubleOf(cause);
  return new CliError('profile_unreadable', `The profile ${path} cannot be read: ${reason}. It was left as it is.`, {
    hint,
    cause,
  });
}

/** A profile, or the lock beside it, that cannot be written. */
export function unwritable(path: string, cause: unknown): CliError {
  const message = `The profile ${path} cannot be written: ${troubleOf(cause).reason}.`;
  return new CliError('profile_unwritable', message, { hint: ANOTHER_FOLDER, cause });
}

/** Never the parser's own words: they quote the file, which holds credentials. */
function troubleOf(error: unknown): { reason: string; hint: string } {
  if (error instanceof SyntaxError) return { reason: 'it is not valid JSON', hint: REPAIR };
  if (error instanceof TypeError) return { reason: 'it does not hold a profile', hint: REPAIR };
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return { reason: 'it is a directory', hint: MOVE_AWAY };
  if (code === 'EACCES' || code === 'EPERM') return { reason: 'permission denied', hint: ANOTHER_FOLDER };
  return { reason: code ?? 'unknown reason', hint: REPAIR };
}
