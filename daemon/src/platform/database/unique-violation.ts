const UNIQUE_VIOLATION = '23505';

/** Names of the columns in the text `Key (a, b)=(1, 2) already exists.`; the values behind them are not ours to repeat. */
const KEY_COLUMNS = /\(([\w, ]+)\)=/;

/** Whether the database refused a row because another one has its key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}

/** Columns of the key that another row has; undefined if the database does not name them. */
export function takenColumns(error: unknown): string | undefined {
  const detail = error instanceof Error && 'detail' in error ? String(error.detail) : '';
  return KEY_COLUMNS.exec(detail)?.[1];
}
