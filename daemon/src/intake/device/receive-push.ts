import { createHash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import type { BodyEncoding } from '@healthd/providers';
import type { Request, Response } from 'express';
import { Failure } from '../../failures.js';
import { stopSending } from '../stop-sending.js';
import { ProviderScan, type ScannedBody } from './provider-scan.js';

/** A body as it was sent, and what the door knows of it. */
export interface ReceivedPush {
  body: Buffer;
  encoding: BodyEncoding;
  sha256: Buffer;
  scanned: ScannedBody;
}

export interface PushLimits {
  /** Bytes of a body, after unpacking as well. */
  maxBytes: number;
}

/** Unpacked bytes for each packed byte; real payloads pack to about a seventeenth. */
const MAX_RATIO = 200;
/** Up to here a body may be packed as tightly as it likes. */
const FREE_BYTES = 1024 * 1024;
/** Bodies up to here are parsed as a whole at the door, which takes less than a millisecond. */
const PARSED_AT_ONCE = 64 * 1024;

/**
 * Receives the body of a push without a look at its content type, which some clients leave out.
 * @param gaveUp rejects when the client is not to be waited for any longer; what it rejects with is thrown
 * @throws Failure
 */
export async function receivePush(
  request: Request,
  response: Response,
  limits: PushLimits,
  gaveUp: Promise<never>,
): Promise<ReceivedPush> {
  try {
    const encoding = encodingOf(request);
    if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
    return await Promise.race([receive(request, encoding, limits.maxBytes), gaveUp]);
  } catch (error) {
    stopSending(request, response);
    throw error;
  }
}

function encodingOf(request: Request): BodyEncoding {
  const sent = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (sent === '' || sent === 'identity') return 'identity';
  if (sent === 'gzip' || sent === 'x-gzip') return 'gzip';
  throw new Failure('unsupported_media_type', 'The body may be packed with gzip or not at all.');
}

async function receive(request: Request, encoding: BodyEncoding, maxBytes: number): Promise<ReceivedPush> {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  const plain = new PlainBytes();
  let size = 0;
  const packed = async function* () {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      chunks.push(chunk);
      yield chunk;
    }
  };
  if (encoding === 'identity') {
    for await (const chunk of packed()) plain.push(chunk);
  } else {
    await unpack(packed(), (chunk) => {
      plain.push(chunk);
      if (plain.size > maxBytes || (plain.size > FREE_BYTES && plain.size > size * MAX_RATIO)) throw tooLarge(maxBytes);
    });
  }
  const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
  return { body, encoding, sha256: hash.digest(), scanned: plain.end() };
}

async function unpack(packed: AsyncIterable<Buffer>, take: (chunk: Buffer) => void): Promise<void> {
  const gunzip = createGunzip();
  const feed = (async () => {
    for await (const chunk of packed) {
      if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once('drain', resolve).once('close', resolve));
      if (gunzip.destroyed) return;
    }
    gunzip.end();
  })();
  // A client that leaves or sends too much must not leave the other side waiting.
  feed.catch((error: Error) => gunzip.destroy(error));
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) take(chunk);
    await feed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new Failure('bad_request', 'The body is not valid gzip.');
    }
    throw error;
  } finally {
    gunzip.destroy();
  }
}

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

function tooLarge(maxBytes: number): Failure {
  return new Failure(
    'payload_too_large',
    `The payload is larger than the ${maxBytes} bytes that this server accepts (setting PUSH_MAX_BYTES).`,
  );
}
