import { csvLine } from './csv.js';
import { type FieldPath, parseFields, selectFields, valueAt } from './fields.js';
import type { OutputChoice } from './format.js';
import { type Cell, type Column, renderPairs, renderTable } from './table.js';
import { toYaml } from './yaml.js';

/** Destination and format of the output. */
export interface Sink extends OutputChoice {
  write(text: string): Promise<void>;
  /** Terminal width in columns. Undefined if the output is not a terminal. */
  width?: number;
  /** True to show instants in UTC instead of the reader's time zone. */
  utc?: boolean;
  heading?(text: string): string;
}

/** Layout of a command's rows. `fields` are the dotted paths of a row: CSV columns and names for `--json`. */
export interface Shape<T> {
  fields: readonly FieldPath<T>[];
  columns: readonly Column<T>[];
}

/** Streams rows in every format except tables, which are formatted at the end. */
export class RowWriter<T> {
  readonly #fields: string[] | undefined;
  readonly #rows: T[] = [];
  #count = 0;

  /** @throws CliError `unknown_field`, before the first request */
  constructor(
    private readonly sink: Sink,
    private readonly shape: Shape<T>,
  ) {
    this.#fields = sink.fieldText === undefined ? undefined : parseFields(sink.fieldText, shape.fields);
  }

  get count(): number {
    return this.#count;
  }

  async write(row: T): Promise<void> {
    const first = this.#count === 0;
    this.#count += 1;
    switch (this.sink.format) {
      case 'table':
        this.#rows.push(row);
        return;
      case 'csv':
        return this.sink.write((first ? csvLine(this.shape.fields) : '') + this.#csv(row));
      case 'ndjson':
        return this.sink.write(`${this.#json(row)}\n`);
      case 'json':
        return this.sink.write(`${first ? '[\n' : ',\n'}  ${this.#json(row)}`);
      case 'yaml':
        return this.sink.write(toYaml([row]));
    }
  }

  async end(): Promise<void> {
    const empty = this.#count === 0;
    const { format } = this.sink;
    if (format === 'table' && !empty) {
      await this.sink.write(renderTable(this.shape.columns, this.#rows, this.sink));
    }
    if (format === 'json') await this.sink.write(empty ? '[]\n' : '\n]\n');
    if (format === 'yaml' && empty) await this.sink.write('[]\n');
    if (format === 'csv' && empty) await this.sink.write(csvLine(this.shape.fields));
  }

  #csv(row: T): string {
    return csvLine(this.shape.fields.map((field) => valueAt(row, field)));
  }

  #json(row: T): string {
    return JSON.stringify(selectFields(row, this.#fields));
  }
}

/** Writes all rows of a list. */
export async function writeRows<T>(sink: Sink, shape: Shape<T>, rows: Iterable<T> | AsyncIterable<T>): Promise<number> {
  const writer = new RowWriter(sink, shape);
  for await (const row of rows) await writer.write(row);
  await writer.end();
  return writer.count;
}

/** Layout of one object. `pairs` are its lines in a table. */
export interface RecordShape<T> {
  fields: readonly FieldPath<T>[];
  /** Undefined if the message alone is enough on a terminal. */
  pairs?(record: T): readonly (readonly [string, Cell])[];
}

/** Writes one object. */
export async function writeRecord<T>(sink: Sink, shape: RecordShape<T>, record: T): Promise<void> {
  const fields = sink.fieldText === undefined ? undefined : parseFields(sink.fieldText, shape.fields);
  switch (sink.format) {
    case 'table':
      if (shape.pairs) await sink.write(renderPairs(shape.pairs(record), sink));
      return;
    case 'csv':
      return sink.write(csvLine(shape.fields) + csvLine(shape.fields.map((field) => valueAt(record, field))));
    case 'yaml':
      return sink.write(toYaml(record));
    case 'ndjson':
      return sink.write(`${JSON.stringify(selectFields(record, fields))}\n`);
    case 'json':
      return sink.write(`${JSON.stringify(selectFields(record, fields), null, 2)}\n`);
  }
}
