import { arrayLiteral } from './array-literal.js';

/** A column of a table that a statement fills with many rows. */
export interface BatchColumn<Row> {
  name: string;
  /** Type of the parameter's elements: the column's own type, or the input type of `sql`. */
  type: string;
  /** SQL that computes the column from the element, which has the column's name. Default: the element itself. */
  sql?: string;
  /** Undefined is stored as null. */
  value(row: Row): number | string | undefined;
}

/** Statement fragments and parameters for these columns, from one list. */
export class BatchColumns<Row> {
  /** For `insert into … (here)`. */
  readonly names: string;
  /** For `select here from …`: the computed columns. */
  readonly selected: string;

  constructor(private readonly columns: readonly BatchColumn<Row>[]) {
    this.names = columns.map(({ name }) => name).join(', ');
    this.selected = columns.map(made).join(', ');
  }

  /** Returns the rows as a table `fresh` of elements. @param first number of the first parameter */
  unnested(first: number): string {
    const parameters = this.columns.map(({ type }, index) => `$${first + index}::${type}[]`);
    return `unnest(${parameters.join(', ')}) as fresh (${this.names})`;
  }

  /** For `do update set here`. @param key columns that identify the row */
  assigned(key: readonly string[]): string {
    return this.free(key)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ');
  }

  /** Returns a condition that is true if the stored row differs. @param key columns that identify the row */
  differs(key: readonly string[]): string {
    const of = (table: string) =>
      this.free(key)
        .map((name) => `${table}.${name}`)
        .join(', ');
    return `(${of('stored')}) is distinct from (${of('excluded')})`;
  }

  /** For `update … set here from fresh`. @param key columns that identify the row */
  updated(key: readonly string[]): string {
    return this.columns
      .filter(({ name }) => !key.includes(name))
      .map((column) => `${column.name} = ${made(column)}`)
      .join(', ');
  }

  /** For `where here`: matches a table's row to an element by all of these columns. */
  matched(table: string): string {
    return this.columns.map((column) => `${table}.${column.name} = ${made(column)}`).join(' and ');
  }

  /** Returns one array per column. */
  values(rows: readonly Row[]): string[] {
    return this.columns.map(({ value }) => arrayLiteral(rows.map(value)));
  }

  private free(key: readonly string[]): string[] {
    return this.columns.map(({ name }) => name).filter((name) => !key.includes(name));
  }
}

/** Returns the computed column in a statement that also names other tables. */
function made({ name, sql }: Pick<BatchColumn<never>, 'name' | 'sql'>): string {
  return (sql ?? name).replaceAll(name, `fresh.${name}`);
}
