import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import type { BodyEncoding } from '@healthd/providers';
import type { Request } from 'express';
import { Failure } from '../../platform/failures.js';
import { ProviderScan, type ScannedBody } from './provider-scan.js';

/** Maximum size of bodies that are parsed completely on receipt. Parsing takes less than a millisecond. */
const PARSED_AT_ONCE = 64 * 1024;

/** Scans the unpacked bytes as they arrive. Keeps them in memory while the body is small. */
class PlainBytes {
  size = 0;
  private readonly scan = new ProviderScan();
  private kept: Buffer[] = [];

  push(chunk: Buffer): void {
    this.size += chunk.length;
    this.scan.push(chunk);
    if (this.size <= PARSED_AT_ONCE) this.kept.push(chunk);
    else this.kept = [];
  }

  end(): ScannedBody {
    const scanned = this.scan.end();
    if (scanned.kind === 'no_object' || this.size > PARSED_AT_ONCE) return scanned;
    try {
      const { provider } = JSON.parse(
        Buffer.concat(this.kept)
          .toString()
          .replace(/^\ufeff/, ''),
      ) as {
        provider?: unknown;
      };
      return { kind: 'object', provider: typeof provider === 'string' ? provider : undefined };
    } catch {
      return { kind: 'no_object' };
    }
  }
}

/** A received body as stored, and its scan result. */
export interface ReceivedPush {
  body: Buffer;
  /** Encoding of the stored body. Large plain bodies are compressed. */
  encoding: BodyEncoding;
  /** Hash of the bytes as sent. */
  sha256: Buffer;
  scanned: ScannedBody;
}

/** Maximum ratio of unpacked to packed bytes. Real payloads compress to about a seventeenth. */
const MAX_RATIO = 200;
/** Size below which the ratio is not checked. */
const FREE_BYTES = 1024 * 1024;
/**
 * Size above which bodies are compressed before they are stored. Real bodies shrink to a seventeenth. Compression takes
 * less time than the database would need to store and load plain bodies, and it does not run on the main thread.
 */
const PACKED_FROM = 16 * 1024;

/** Reads a push body as it arrives: hashes, counts and, if it is large, compresses it. */
export async function receiveBody(
  request: Request,
  sent: BodyEncoding,
  maxBytes: number,
  keep: (bytes: number) => void,
): Promise<ReceivedPush> {
  const hash = createHash('sha256');
  const plain = new PlainBytes();
  const kept: Buffer[] = [];
  const keepChunk = (chunk: Buffer) => {
    kept.push(chunk);
    keep(chunk.length);
  };
  let size = 0;
  const arriving = async function* () {
    // A rejected request must stay readable: the rest is drained before the response, see drainAndClose.
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  };
  const takePlain = (chunk: Buffer) => {
    plain.push(chunk);
    if (plain.size > maxBytes || (plain.size > FREE_BYTES && plain.size > size * MAX_RATIO))
      throw bodyTooLarge(maxBytes);
  };
  const seen = async function* () {
    for await (const chunk of arriving()) {
      takePlain(chunk);
      yield chunk;
    }
  };
  if (sent === 'gzip') {
    await through(createGunzip(), keeping(arriving(), keepChunk), takePlain);
    return { body: Buffer.concat(kept), encoding: 'gzip', sha256: hash.digest(), scanned: plain.end() };
  }
  const packs = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > PACKED_FROM;
  if (packs) await through(createGzip({ level: 1 }), seen(), keepChunk);
  else for await (const chunk of seen()) keepChunk(chunk);
  const encoding = packs ? 'gzip' : 'identity';
  return { body: Buffer.concat(kept), encoding, sha256: hash.digest(), scanned: plain.end() };
}

async function* keeping(chunks: AsyncIterable<Buffer>, keep: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    keep(chunk);
    yield chunk;
  }
}

/** Pipes bytes through a compression stream, which runs in the runtime's thread pool. */
async function through(
  stream: Gunzip | Gzip,
  bytes: AsyncIterable<Buffer>,
  take: (chunk: Buffer) => void,
): Promise<void> {
  try {
    await pipeline(bytes, stream, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) take(chunk);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new Failure('bad_request', 'The body is not valid gzip.');
    }
    throw error;
  }
}

/** Returns the failure for a push above the limit. */
export function bodyTooLarge(maxBytes: number): Failure {
  return new Failure(
    'payload_too_large',
    `The payload is larger than the ${maxBytes} bytes that this server accepts (setting PUSH_MAX_BYTES).`,
  );
}
