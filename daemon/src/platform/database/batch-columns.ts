import { arrayLiteral } from './array-literal.js';

/** A column that a statement writes for many rows at once. */
export interface BatchColumn<Row> {
  name: string;
  /** Type of the parameter's elements: the column's type, or the input type of `sql`. */
  type: string;
  /**
   * SQL that computes the column's value from the element. The element has the column's name. Default: the element
   * itself.
   */
  sql?: string;
  /** Undefined is stored as null. */
  value(row: Row): number | string | undefined;
}

/** Builds statement fragments and parameters from one list of columns. */
export class BatchColumns<Row> {
  /** Column names for `insert into … (here)`. */
  readonly names: string;
  /** Computed columns for `select here from …`. */
  readonly selected: string;

  constructor(private readonly columns: readonly BatchColumn<Row>[]) {
    this.names = columns.map(({ name }) => name).join(', ');
    this.selected = columns.map(made).join(', ');
  }

  /**
   * Returns a `from` clause that unpacks the array parameters as table `fresh`. @param first number of the first
   * parameter
   */
  unnested(first: number): string {
    const parameters = this.columns.map(({ type }, index) => `$${first + index}::${type}[]`);
    return `unnest(${parameters.join(', ')}) as fresh (${this.names})`;
  }

  /** Returns assignments for `do update set here`. @param key columns that identify the row */
  assigned(key: readonly string[]): string {
    return this.free(key)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ');
  }

  /** Returns a condition: the stored row differs from the new one. @param key columns that identify the row */
  differs(key: readonly string[]): string {
    const of = (table: string) =>
      this.free(key)
        .map((name) => `${table}.${name}`)
        .join(', ');
    return `(${of('stored')}) is distinct from (${of('excluded')})`;
  }

  /** Returns assignments for `update … set here from fresh`. @param key columns that identify the row */
  updated(key: readonly string[]): string {
    return this.columns
      .filter(({ name }) => !key.includes(name))
      .map((column) => `${column.name} = ${made(column)}`)
      .join(', ');
  }

  /** Returns a condition for `where here` that matches a table's row to an element by all columns. */
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

/** Returns the computed column with its element qualified by `fresh`, for statements that also name other tables. */
function made({ name, sql }: Pick<BatchColumn<never>, 'name' | 'sql'>): string {
  return (sql ?? name).replaceAll(name, `fresh.${name}`);
}
