import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { ATTRIBUTION, attributionLines, demandedTexts } from './attribution.js';
import { type ExportedUser, exportFiles } from './export-files.js';
import { readmeText } from './readme.js';

/** Entries are written while they are read, so little is gained by more effort and much time is lost. */
const COMPRESSION_LEVEL = 4;

/**
 * Everything held about one user as of one instant, as the bytes of a zip archive. The database sends rows as fast as
 * the archive is taken and no list is ever held whole, so memory does not grow with what is stored. Leaving the loop
 * early ends the statement that is running.
 * @param attribution texts that vendors demand beside their data, by provider
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
      // Asked for when its turn comes: a connection carries one COPY at a time.
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
    // In the middle of a COPY the connection cannot be used for anything else.
    client.release(!whole);
  }
}

/** JSON has no control characters, so with these two COPY never quotes and each line stays as it is. */
function copyLines(sql: string): string {
  return `copy (${sql}) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`;
}
