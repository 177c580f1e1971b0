import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { AcceptedFiles } from '@healthd/providers';
import { Failure, unprocessable } from '../../platform/failures.js';
import { type Spool, writeWhole } from '../../platform/spool/index.js';
import { isDiskFull, notAccepted, tooLarge } from './upload-errors.js';

/** Limits of an accepted upload. */
export interface UploadRules {
  maxBytes: number;
  accepts: AcceptedFiles;
}

/** A file that was written to the spool. */
export interface StoredUpload {
  spoolName: string;
  byteSize: number;
  sha256: Buffer;
}

/**
 * Writes a stream to the spool and returns once file and name are safely on disk. Leaves no file behind on failure.
 * @throws Failure `payload_too_large`, `unprocessable`, `storage_full`, or the stream's own error
 */
export async function storeUpload(
  stream: Readable,
  spool: Spool,
  spoolName: string,
  { maxBytes, accepts }: UploadRules,
): Promise<StoredUpload> {
  try {
    const handle = await spool.create(spoolName);
    const stored = await writeStream(stream, handle, { maxBytes, accepts }).finally(() => handle.close());
    await spool.sync();
    await spool.remember(spoolName, stored.sha256);
    return { spoolName, ...stored };
  } catch (error) {
    await spool.remove(spoolName);
    throw isDiskFull(error)
      ? new Failure(
          'storage_full',
          "The server's disk is full. Nothing was stored. Free disk space, then upload again.",
          { cause: error },
        )
      : error;
  }
}

async function writeStream(
  stream: Readable,
  handle: FileHandle,
  { maxBytes, accepts }: UploadRules,
): Promise<{ byteSize: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let byteSize = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    byteSize += chunk.length;
    if (byteSize > maxBytes) throw tooLarge(maxBytes);
    if (head) {
      head = Buffer.concat([head, chunk]);
      const verdict = accepts.judgeHead(head);
      if (verdict === 'impossible') throw notAccepted(accepts);
      if (verdict === 'possible') head = undefined;
    }
    hash.update(chunk);
    await writeWhole(handle, chunk);
  }
  if (byteSize === 0) throw unprocessable(['body', 'file'], 'The file is empty.');
  if (head) throw notAccepted(accepts);
  await handle.sync();
  return { byteSize, sha256: hash.digest() };
}
