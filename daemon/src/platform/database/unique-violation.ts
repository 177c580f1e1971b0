const UNIQUE_VIOLATION = '23505';

/**
 * Column names in an error detail such as `Key (a, b)=(1, 2) already exists.` The values after them must never be
 * repeated.
 */
const KEY_COLUMNS = /\(([\w, ]+)\)=/;

/** True if the database rejected a row because of a duplicate key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}

/** Returns the column names of the duplicate key; undefined if the error does not contain them. */
export function takenColumns(error: unknown): string | undefined {
  const detail = error instanceof Error && 'detail' in error ? String(error.detail) : '';
  return KEY_COLUMNS.exec(detail)?.[1];
}
