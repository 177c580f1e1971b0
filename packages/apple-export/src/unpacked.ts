import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { constants, createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { ExportError } from './errors.js';
import type { ExportLimits } from './limits.js';

const CHUNK_BYTES = 256 * 1024;
const RATIO_COUNTS_FROM = 16 * 2 ** 20;
// Input that ends early is not an error here. The readable part is delivered, and the XML reader detects the missing
// end.
const TOLERANT = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES };

/** Counts the bytes read from the file, for progress. */
export interface ReadPosition {
  bytes: number;
}

/** Position of an archived file's bytes. */
export interface PackedFile {
  dataStart: number;
  packedBytes: number;
  method: number;
  /** Checksum of the decompressed bytes if the archive's directory is readable. */
  crc?: number;
}

/**
 * Reads a plain file, or a range of the file, one chunk ahead. Two buffers alternate, so a chunk is only valid until
 * the consumer requests the next chunk.
 */
export async function* plainBytes(
  path: string,
  limits: ExportLimits,
  position: ReadPosition,
  range: { start: number; length: number } = { start: 0, length: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  let taken = 0;
  const read = async (buffer: Buffer) => {
    const size = Math.min(CHUNK_BYTES, range.length - taken);
    const { bytesRead } = size > 0 ? await handle.read(buffer, 0, size, range.start + taken) : { bytesRead: 0 };
    taken += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  let ahead = read(buffers[0]);
  try {
    for (let turn = 1; ; turn++) {
      const chunk = await ahead;
      if (chunk.length === 0) return;
      position.bytes += chunk.length;
      if (position.bytes > limits.maxUnpackedBytes) throw new ExportError('unpacked_too_large');
      ahead = read(buffers[turn % 2 === 0 ? 0 : 1]);
      yield chunk;
    }
  } finally {
    await ahead.catch(() => undefined);
    await handle.close();
  }
}

/** Yields the decompressed bytes of a `.gz` file. */
export function gunzippedBytes(path: string, limits: ExportLimits, position: ReadPosition): AsyncGenerator<Buffer> {
  return inflatedBytes(
    createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    createGunzip(TOLERANT),
    limits,
    position,
  );
}

/** Yields the decompressed bytes of a raw deflate stream, e.g. an entry of a zip archive. */
export function deflatedBytes(packed: Readable, limits: ExportLimits, position: ReadPosition): AsyncGenerator<Buffer> {
  return inflatedBytes(packed, createInflateRaw(TOLERANT), limits, position);
}

async function* inflatedBytes(
  packed: Readable,
  inflater: Gunzip | InflateRaw,
  limits: ExportLimits,
  position: ReadPosition,
): AsyncGenerator<Buffer> {
  packed.on('error', (cause) => inflater.destroy(cause));
  packed.pipe(inflater);
  let unpacked = 0;
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      position.bytes = inflater.bytesWritten;
      if (unpacked > limits.maxUnpackedBytes) throw new ExportError('unpacked_too_large');
      if (unpacked > RATIO_COUNTS_FROM && unpacked / Math.max(1, inflater.bytesWritten) > limits.maxRatio) {
        throw new ExportError('ratio_exceeded');
      }
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ExportError ? error : new ExportError('archive_damaged', { cause: error });
  } finally {
    packed.destroy();
    inflater.destroy();
  }
}
