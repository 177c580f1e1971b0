import { storableText } from '../storable-text.js';

/** A column of a table of events, such as workouts or scores. */
export interface EventColumn<Row> {
  name: string;
  type: 'text' | 'timestamptz' | 'smallint' | 'integer' | 'bigint' | 'double precision' | 'boolean' | 'date' | 'jsonb';
  /** Value of a row. Instants are epoch milliseconds, bigints are text, undefined is null. */
  value: (row: Row) => string | number | boolean | object | undefined;
  /** True if the members of a jsonb object are merged individually with the stored object. */
  byMember?: true;
  /** True if a change of this column alone does not count as an update. */
  isInternal?: true;
}

/** Column values in one form for stored and arriving rows: instants in epoch milliseconds, jsonb as text. */
export type EventValues = Readonly<Record<string, string | number | boolean | null>>;

/** Returns the values that a row would have in the table. */
export function valuesOf<Row>(columns: readonly EventColumn<Row>[], row: Row): EventValues {
  const values: Record<string, string | number | boolean | null> = {};
  for (const column of columns) values[column.name] = columnValue(column, row);
  return values;
}

function columnValue<Row>({ type, value: read }: EventColumn<Row>, row: Row): string | number | boolean | null {
  const value = read(row);
  if (value === undefined) return null;
  if (typeof value === 'object') return jsonbText(value);
  if (typeof value === 'string') return wellFormed(storableText(value));
  if (type === 'double precision' && !Number.isFinite(value)) return null;
  if (type === 'timestamptz') return new Date(value as number).getTime();
  return value;
}

/**
 * Returns JSON in the form in which Postgres prints jsonb, so that equal values nearly always have equal texts. Sorts
 * object keys by length, then by bytes.
 */
function jsonbText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(wellFormed(storableText(value)));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text && ', '}${jsonbText(member ?? null)}`;
    return `[${text}]`;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members).sort(inJsonbOrder)) {
    if (members[key] !== undefined) text += `${text && ', '}${jsonbText(key)}: ${jsonbText(members[key])}`;
  }
  return `{${text}}`;
}

function inJsonbOrder(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** Replaces lone surrogates, as the database driver does. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Returns SQL that selects the columns of the table `s`, for {@link storedValues}. */
export function selectedColumns(columns: readonly EventColumn<never>[]): string {
  return columns
    .map(({ name, type }) => {
      if (type === 'timestamptz') return `extract(epoch from s.${name})::float8 * 1000 as "${name}"`;
      const isText = type === 'jsonb' || type === 'date' || type === 'bigint';
      return isText ? `s.${name}::text as "${name}"` : `s.${name} as "${name}"`;
    })
    .join(', ');
}

/** Returns the values of a row that {@link selectedColumns} read. */
export function storedValues(columns: readonly EventColumn<never>[], row: Record<string, unknown>): EventValues {
  const values: Record<string, string | number | boolean | null> = {};
  for (const { name, type } of columns) {
    const value = row[name] as string | number | boolean | null;
    values[name] = type === 'timestamptz' && typeof value === 'number' ? Math.round(value) : value;
  }
  return values;
}

/** Returns a column's values as elements of an array parameter. */
export function elementsOf({ name, type }: EventColumn<never>, rows: readonly EventValues[]): unknown[] {
  return rows.map((row) => {
    const value = row[name] ?? null;
    return type === 'timestamptz' && value !== null ? new Date(value as number).toISOString() : value;
  });
}

/** Returns the SQL type of an array parameter for a column. */
export function arrayType({ type }: EventColumn<never>): string {
  return type === 'jsonb' ? 'text[]' : `${type}[]`;
}
