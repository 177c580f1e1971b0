import pg from 'pg';

/** How result columns become JavaScript values. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseInt8],
  // A calendar day has no time zone; the driver's own parser makes it midnight of the process' zone.
  [pg.types.builtins.DATE, (text: string) => text],
]);

/**
 * Every int8 of the schema counts or identifies rows, so it is read as a number.
 * @throws RangeError beyond ±(2^53 − 1), where a number would no longer be exact
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 value beyond the exact range of a number');
  return value;
}

type TypeParser = (text: string) => unknown;

/** int8 is a number, date a text `YYYY-MM-DD`, timestamptz a Date, numeric a text; the rest as the driver does it. */
export const valueTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): TypeParser {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? (pg.types.getTypeParser(oid, format as 'text') as TypeParser);
  },
};
