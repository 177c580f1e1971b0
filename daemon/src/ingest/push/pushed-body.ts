import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import type { BodyEncoding } from '@healthd/providers';
import type { Request } from 'express';
import { Failure } from '../../platform/failures.js';
import { ProviderScan, type ScannedBody } from './provider-scan.js';

/** Bodies up to here are parsed as a whole at the door, which takes less than a millisecond. */
const PARSED_AT_ONCE = 64 * 1024;

/** Looks at the unpacked bytes as they come, and keeps them as long as they are few. */
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

/** A body as it is stored, and what the door knows of it. */
export interface ReceivedPush {
  body: Buffer;
  /** What the client sent plain is packed, unless it is small. */
  encoding: BodyEncoding;
  /** Of the bytes that were sent. */
  sha256: Buffer;
  scanned: ScannedBody;
}

/** Unpacked bytes for each packed byte; real payloads pack to about a seventeenth. */
const MAX_RATIO = 200;
/** Up to here a body may be packed as tightly as it likes. */
const FREE_BYTES = 1024 * 1024;
/**
 * Larger bodies are packed before they are stored: they shrink to a seventeenth, and the database would need longer to
 * write and give back the plain ones than packing and unpacking takes, which is not on the main thread besides.
 */
const PACKED_FROM = 16 * 1024;

/** Reads the bytes of a push as they come: hashed, counted, packed where they are many. */
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
    // A request that is refused halfway must live on: what is left of it is read before the answer, see drainAndClose.
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

/** Sends bytes through a packing or unpacking stream, in the threads that the runtime has for that. */
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

/** The failure for a push above the limit. */
export function bodyTooLarge(maxBytes: number): Failure {
  return new Failure(
    'payload_too_large',
    `The payload is larger than the ${maxBytes} bytes that this server accepts (setting PUSH_MAX_BYTES).`,
  );
}
