/** Numbers for an integer, float or timestamp column. `absent` is the element that represents null; it may be NaN. */
export interface NumberColumn {
  name: string;
  /** `timestamptz` values are epoch milliseconds with fractions. */
  type: 'int2' | 'int4' | 'int8' | 'float8' | 'timestamptz';
  /** One element per row, or a single number for all rows. */
  values: ArrayLike<number> | number;
  absent?: number;
}

/**
 * Texts for a text or UUID column; `undefined` becomes null. A text must not contain U+0000, which Postgres cannot
 * store.
 */
export interface TextColumn {
  name: string;
  /** `uuid` values use the hyphenated form. */
  type: 'text' | 'uuid';
  values: ArrayLike<string | undefined> | string;
}

export type CopyColumn = NumberColumn | TextColumn;

/** Rows in columnar form: row `i` is element `i` of every column. */
export interface CopyBatch {
  length: number;
  columns: readonly CopyColumn[];
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
const CHUNK_BYTES = 256 * 1024;
/** Size of the widest fixed-size field: a length word and a UUID. */
const FIXED_FIELD_BYTES = 20;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const TWO_TO_32 = 2 ** 32;

/**
 * Encodes rows in COPY's binary format, in chunks of about a quarter of a megabyte. Allocates no object or buffer per
 * row. Format: https://www.postgresql.org/docs/18/sql-copy.html, "Binary Format".
 */
export class CopyEncoder {
  private chunk = Buffer.alloc(0);
  private view = viewOf(this.chunk);
  private at = 0;

  /** Bytes before the first batch. */
  header(): Buffer {
    return HEADER;
  }

  /** Bytes after the last batch. */
  trailer(): Buffer {
    return TRAILER;
  }

  /**
   * Yields the encoded rows of one batch. A chunk is never reused, so callers may keep it.
   * @throws RangeError if a number does not fit its column
   */
  *rows(batch: CopyBatch): Generator<Buffer> {
    const { columns, length } = batch;
    const fixedRowBytes = 2 + columns.length * FIXED_FIELD_BYTES;
    for (let row = 0; row < length; row++) {
      const rowBytes = fixedRowBytes + this.textBytes(columns, row);
      if (this.at + rowBytes > this.chunk.length) {
        if (this.at > 0) yield this.written();
        this.replace(Math.max(rowBytes, Math.min(CHUNK_BYTES, (length - row) * rowBytes)));
      }
      this.writeRow(columns, row);
    }
    if (this.at > 0) yield this.written();
    this.replace(0);
  }

  private written(): Buffer {
    return this.chunk.subarray(0, this.at);
  }

  private replace(bytes: number): void {
    this.chunk = Buffer.allocUnsafeSlow(bytes);
    this.view = viewOf(this.chunk);
    this.at = 0;
  }

  /** Returns the maximum size of the row's texts: UTF-8 needs at most three bytes per UTF-16 unit. */
  private textBytes(columns: readonly CopyColumn[], row: number): number {
    let bytes = 0;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as CopyColumn;
      if (isText(column)) bytes += (textAt(column, row)?.length ?? 0) * 3;
    }
    return bytes;
  }

  private writeRow(columns: readonly CopyColumn[], row: number): void {
    this.view.setInt16(this.at, columns.length);
    this.at += 2;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as CopyColumn;
      if (isText(column)) this.writeText(column, row);
      else this.writeNumber(column, row);
    }
  }

  private writeNumber(column: NumberColumn, row: number): void {
    const { values } = column;
    const value = typeof values === 'number' ? values : (values[row] as number);
    if (column.absent !== undefined && Object.is(value, column.absent)) {
      this.writeNull();
      return;
    }
    const { view, at } = this;
    switch (column.type) {
      case 'int2':
        if (value !== (value << 16) >> 16) throw outOfRange(column);
        view.setInt32(at, 2);
        view.setInt16(at + 4, value);
        this.at = at + 6;
        return;
      case 'int4':
        if (value !== (value | 0)) throw outOfRange(column);
        view.setInt32(at, 4);
        view.setInt32(at + 4, value);
        this.at = at + 8;
        return;
      case 'float8':
        view.setInt32(at, 8);
        view.setFloat64(at + 4, value);
        this.at = at + 12;
        return;
      case 'int8':
        this.writeInt64(column, value);
        return;
      case 'timestamptz':
        this.writeInt64(column, Math.round((value - POSTGRES_EPOCH_MS) * 1000));
        return;
    }
  }

  private writeInt64(column: NumberColumn, value: number): void {
    if (!Number.isSafeInteger(value)) throw outOfRange(column);
    const { view, at } = this;
    const high = Math.floor(value / TWO_TO_32);
    view.setInt32(at, 8);
    view.setInt32(at + 4, high);
    view.setUint32(at + 8, value - high * TWO_TO_32);
    this.at = at + 12;
  }

  private writeText(column: TextColumn, row: number): void {
    const text = textAt(column, row);
    if (text === undefined) {
      this.writeNull();
      return;
    }
    const { at } = this;
    const written =
      column.type === 'text'
        ? this.chunk.write(text, at + 4, 'utf8')
        : this.chunk.write(text.replaceAll('-', ''), at + 4, 16, 'hex');
    if (column.type === 'uuid' && written !== 16) throw new RangeError(`column ${column.name}: not a uuid`);
    this.view.setInt32(at, written);
    this.at = at + 4 + written;
  }

  private writeNull(): void {
    this.view.setInt32(this.at, -1);
    this.at += 4;
  }
}

function isText(column: CopyColumn): column is TextColumn {
  return column.type === 'text' || column.type === 'uuid';
}

function textAt(column: TextColumn, row: number): string | undefined {
  return typeof column.values === 'string' ? column.values : column.values[row];
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function outOfRange(column: NumberColumn): RangeError {
  return new RangeError(`column ${column.name}: a value does not fit ${column.type}`);
}
