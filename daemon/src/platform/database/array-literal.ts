/**
 * Formats an array parameter in Postgres syntax. Creates far less garbage than the driver, which concatenates thousands
 * of values one by one.
 */
export function arrayLiteral(values: readonly (number | string | null | undefined)[]): string {
  const parts = new Array<string | number>(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    parts[index] = typeof value === 'string' ? quoted(value) : (value ?? 'NULL');
  }
  return `{${parts.join()}}`;
}

function quoted(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}
