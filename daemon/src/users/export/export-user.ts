import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { ATTRIBUTION, attributionLines, demandedTexts } from './attribution.js';
import { type ExportedUser, exportFiles } from './export-files.js';
import { readmeText } from './readme.js';

/**
 * Compression level of entries, which are compressed while they are read. A higher level would save little space and
 * take much time.
 */
const COMPRESSION_LEVEL = 4;

/**
 * Streams all data of one user from one snapshot, as a zip archive. The database sends rows at the reader's pace, so
 * memory does not grow with the data. If the reader stops early, the running statement ends.
 * @param attribution texts that vendors require with their data, by provider
 */
export async function* exportUser(
  pool: pg.Pool,
  user: ExportedUser,
  attribution: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  const client = await pool.connect();
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => void output.destroy(error);
  zip.on('error', fail);
  let whole = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    const files = await exportFiles(client, user);
    const texts = await demandedTexts(client, user, attribution);
    zip.addBuffer(Buffer.from(readmeText({ userId: user.id, files, texts, at: new Date() })), 'README.txt');
    if (texts.length > 0) zip.addBuffer(Buffer.from(attributionLines(texts)), ATTRIBUTION.path);
    for (const { path, sql } of files) {
      // Opens each stream when its entry is due, because a connection runs one COPY at a time.
      zip.addReadStreamLazy(path, { compressionLevel: COMPRESSION_LEVEL }, (give) => {
        if (!output.destroyed) give(null, client.query(copyTo(copyLines(sql))).on('error', fail));
      });
    }
    zip.end();
    yield* output as AsyncIterable<Uint8Array>;
    await client.query('commit');
    whole = true;
  } finally {
    output.destroy();
    // Closes the connection if the archive is incomplete: during a COPY it cannot be used for other statements.
    client.release(!whole);
  }
}

/**
 * Returns a COPY statement that sends each line unchanged. It uses two control characters as quote and delimiter, which
 * JSON text never contains, so COPY never quotes.
 */
function copyLines(sql: string): string {
  return `copy (${sql}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`;
}
