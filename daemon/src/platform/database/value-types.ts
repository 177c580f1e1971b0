import pg from 'pg';

/** Parsers of result columns. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseInt8],
  // A calendar day has no time zone; the driver's own parser returns midnight in the process's time zone.
  [pg.types.builtins.DATE, (text: string) => text],
]);

/**
 * Reads int8 as a number, because every int8 in the schema counts or identifies rows.
 * @throws RangeError beyond ±(2^53 − 1), where a number is not exact
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 value beyond the exact range of a number');
  return value;
}

type TypeParser = (text: string) => unknown;

/** int8 is a number, date a text `YYYY-MM-DD`, timestamptz a Date, numeric a text; other types as in the driver. */
export const valueTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): TypeParser {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? (pg.types.getTypeParser(oid, format as 'text') as TypeParser);
  },
};
