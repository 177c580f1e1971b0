/** How SQL lists a column for {@link numberList}: in the order of its rows, null where a row has none. */
export function listedNumbers(column: string): string {
  return `string_agg(coalesce(${column}::text, 'null'), ',')`;
}

/**
 * Numbers that SQL listed with commas between them. Hundreds of rows sent as one list for each column cost the driver a
 * tenth of what it takes to read them value by value. A sum beyond all doubles stays infinite; one that is no number is
 * null, as it would be in an answer.
 */
export function numberList(text: string): (number | null)[] {
  // The only words that Postgres writes for a double and JSON does not know.
  return JSON.parse(`[${text.replaceAll('Infinity', '1e999').replaceAll('NaN', 'null')}]`) as (number | null)[];
}
