import type pg from 'pg';

/** A query that can be combined with others in one statement. All queries share the statement's parameters. */
export interface QueryPart<Row, Result> {
  sql: string;
  /** Converts the rows. They arrive as JSON, so `sql` must select timestamps as numbers. */
  read(rows: Row[]): Result;
}

type ResultsOf<Parts> = { [Name in keyof Parts]: Parts[Name] extends QueryPart<never, infer Result> ? Result : never };

/**
 * Sends several queries as one statement, because a round trip costs more than any of the queries. All queries read the
 * same snapshot.
 * @param name name of the prepared statement
 */
export async function readTogether<Parts extends Record<string, QueryPart<never, unknown>>>(
  client: pg.ClientBase | pg.Pool,
  name: string,
  parts: Parts,
  values: readonly unknown[],
): Promise<ResultsOf<Parts>> {
  const columns = Object.entries(parts).map(
    ([part, { sql }]) => `(select coalesce(json_agg(row), '[]') from (${sql}) row) as "${part}"`,
  );
  const text = `select ${columns.join(', ')}`;
  const { rows } = await (client as pg.Pool).query<Record<string, never[]>>({ name, text, values: [...values] });
  const results = Object.entries(parts).map(([part, { read }]) => [part, read(rows[0]?.[part] ?? [])]);
  return Object.fromEntries(results) as ResultsOf<Parts>;
}
