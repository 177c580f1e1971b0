import { EmbeddedDatabaseError } from '@healthd/embedded-postgres';
import { BackupError } from '../../backup/index.js';
import { ListenError } from '../../http/index.js';
import { SchemaChangedError, SchemaTooNewError, SchemaTooOldError } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { SettingsError } from '../../platform/settings-error.js';
import { EXIT_WRONG_SETTINGS } from '../settings/settings.js';

/**
 * Returns the output and exit code of a failed command: one clear line for user errors, the complete error for a bug.
 */
export function failureLines(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof SettingsError) {
    return { lines: error.problems.map((problem) => `healthd: ${problem}`), exitCode: EXIT_WRONG_SETTINGS };
  }
  if (isExpected(error)) return { lines: [`healthd: ${error.message}`], exitCode: 1 };
  const connection = connectionProblem(error);
  if (connection) return { lines: [`healthd: ${connection}`], exitCode: 1 };
  return { lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)], exitCode: 1 };
}

function isExpected(error: unknown): error is Error {
  return [
    EmbeddedDatabaseError,
    SchemaTooNewError,
    SchemaTooOldError,
    SchemaChangedError,
    BackupError,
    ListenError,
    Failure,
  ].some((kind) => error instanceof kind);
}

function connectionProblem(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return `The database in DATABASE_URL does not respond (${code}). Check that it is running and that the URL is correct.`;
  }
  if (code === '28P01' || code === '28000') return 'The database in DATABASE_URL rejects the user or password.';
  if (code === '3D000') return 'The database in DATABASE_URL does not exist.';
  return undefined;
}
