/**
 * An array parameter as Postgres reads it. The driver writes an array of thousands of values element by element into a
 * text of thousands of pieces; this leaves far less behind to be collected.
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
