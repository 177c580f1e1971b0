import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { ATTRIBUTION, attributionLines, demandedTexts } from './attribution.js';
import { type ExportedUser, exportFiles } from './export-files.js';
import { readmeText } from './readme.js';

/** Entries are compressed while they are read. A higher level would save little and cost much time. */
const COMPRESSION_LEVEL = 4;

/**
 * Streams all data of one user from one snapshot, as a zip archive. The database sends rows at the reader's pace and no
 * list is held completely, so memory does not grow with the data. Leaving the loop early ends the running statement.
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
      // Started in sequence, because a connection runs one COPY at a time.
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
    // During a COPY the connection is unusable for other statements.
    client.release(!whole);
  }
}

/** JSON contains no control characters, so with these two COPY never quotes and every line is unchanged. */
function copyLines(sql: string): string {
  return `copy (${sql}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`;
}
