import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyBatch, CopyEncoder } from './copy-encoder.js';

/** Error message for a batch whose columns differ from the columns of the open COPY. */
const COLUMNS_DIFFER = 'every batch of one COPY must have the same columns in the same order';

/**
 * Copies batches into `table` with binary COPY. All batches must have the first batch's columns in the same order. Does
 * nothing without a batch. The connection must not be used concurrently. If a batch or the server fails, cancels the
 * COPY; the caller must then roll back its transaction.
 * @param table name in SQL syntax: trusted text, never input
 * @returns the number of rows
 */
export async function copyInto(
  client: pg.ClientBase,
  table: string,
  batches: Iterable<CopyBatch> | AsyncIterable<CopyBatch>,
): Promise<number> {
  const iterator =
    Symbol.asyncIterator in batches
      ? batches[Symbol.asyncIterator]()
      : (batches as Iterable<CopyBatch>)[Symbol.iterator]();
  const first = await iterator.next();
  if (first.done === true) return 0;
  const names = first.value.columns.map(({ name }) => name);
  const target = client.query(
    copyFrom(`copy ${table} (${names.map(quoted).join(', ')}) from stdin with (format binary)`),
  );

  async function* encoded(): AsyncGenerator<Buffer> {
    const encoder = new CopyEncoder();
    yield encoder.header();
    for (let next = first; next.done !== true; next = await iterator.next()) {
      const { columns } = next.value;
      if (columns.length !== names.length || columns.some(({ name }, index) => name !== names[index])) {
        throw new TypeError(COLUMNS_DIFFER);
      }
      yield* encoder.rows(next.value);
    }
    yield encoder.trailer();
  }
  await pipeline(Readable.from(encoded(), { objectMode: false, highWaterMark: 1024 * 1024 }), target);
  return target.rowCount;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
