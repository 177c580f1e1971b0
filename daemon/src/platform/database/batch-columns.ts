import { arrayLiteral } from './array-literal.js';

/** A column of a table into which a statement writes many rows. */
export interface BatchColumn<Row> {
  name: string;
  /** Type of the parameter's elements: the column's own, or what `sql` makes the column of. */
  type: string;
  /** The column made of the element, which has the column's name; the element itself where it is left out. */
  sql?: string;
  /** Undefined is stored as null. */
  value(row: Row): number | string | undefined;
}

/** The texts of a statement that writes these columns, and its parameters: one list for both. */
export class BatchColumns<Row> {
  /** For `insert into … (here)`. */
  readonly names: string;
  /** For `select here from …`: the columns made of the elements. */
  readonly selected: string;

  constructor(private readonly columns: readonly BatchColumn<Row>[]) {
    this.names = columns.map(({ name }) => name).join(', ');
    this.selected = columns.map(made).join(', ');
  }

  /** The rows as a table `fresh` of elements. @param first number of the first of the parameters */
  unnested(first: number): string {
    const parameters = this.columns.map(({ type }, index) => `$${first + index}::${type}[]`);
    return `unnest(${parameters.join(', ')}) as fresh (${this.names})`;
  }

  /** For `do update set here`. @param key columns that say which row it is */
  assigned(key: readonly string[]): string {
    return this.free(key)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ');
  }

  /** Whether the stored row says anything else. @param key columns that say which row it is */
  differs(key: readonly string[]): string {
    const of = (table: string) =>
      this.free(key)
        .map((name) => `${table}.${name}`)
        .join(', ');
    return `(${of('stored')}) is distinct from (${of('excluded')})`;
  }

  /** For `update … set here from fresh`. @param key columns that say which row it is */
  updated(key: readonly string[]): string {
    return this.columns
      .filter(({ name }) => !key.includes(name))
      .map((column) => `${column.name} = ${made(column)}`)
      .join(', ');
  }

  /** For `where here`: the row of a table that an element stands for, all of these columns compared. */
  matched(table: string): string {
    return this.columns.map((column) => `${table}.${column.name} = ${made(column)}`).join(' and ');
  }

  /** One array a column. */
  values(rows: readonly Row[]): string[] {
    return this.columns.map(({ value }) => arrayLiteral(rows.map(value)));
  }

  private free(key: readonly string[]): string[] {
    return this.columns.map(({ name }) => name).filter((name) => !key.includes(name));
  }
}

/** The column made of its element, in a statement that names other tables too. */
function made({ name, sql }: Pick<BatchColumn<never>, 'name' | 'sql'>): string {
  return (sql ?? name).replaceAll(name, `fresh.${name}`);
}
