import { CliError } from '../failure.js';

const MOVE_AWAY = 'Move the file away and run `healthctl login`.';
const REPAIR = 'Repair the file, or move it away and run `healthctl login`.';
const ANOTHER_FOLDER =
  'Make yourself the owner of the file and its folder, or set XDG_CONFIG_HOME to a folder that you own.';

/** Creates the error for an unusable profile, which is never overwritten. */
export function unreadable(path: string, cause: unknown): CliError {
  const { reason, hint } = troubleOf(cause);
  return new CliError('profile_unreadable', `Cannot read the profile ${path}: ${reason}. The file was not changed.`, {
    hint,
    cause,
  });
}

/** Creates the error for a profile or lock file that is not writable. */
export function unwritable(path: string, cause: unknown): CliError {
  const message = `Cannot write the profile ${path}: ${troubleOf(cause).reason}.`;
  return new CliError('profile_unwritable', message, { hint: ANOTHER_FOLDER, cause });
}

/** Never returns the parser's message, because it may quote credentials from the file. */
function troubleOf(error: unknown): { reason: string; hint: string } {
  if (error instanceof SyntaxError) return { reason: 'it is not valid JSON', hint: REPAIR };
  if (error instanceof TypeError) return { reason: 'it is not a profile', hint: REPAIR };
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return { reason: 'it is a directory', hint: MOVE_AWAY };
  if (code === 'EACCES' || code === 'EPERM') return { reason: 'permission denied', hint: ANOTHER_FOLDER };
  return { reason: code ?? 'unknown reason', hint: REPAIR };
}
