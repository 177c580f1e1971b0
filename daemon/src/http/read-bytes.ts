import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { BodyLimit } from '@healthd/contract';
import type { Request, Response } from 'express';
import { drainAndClose } from '../platform/drain-and-close.js';
import { Failure } from '../platform/failures.js';
import { limitIdle } from './idle-limit.js';

const unpack = promisify(gunzip);

/** Unpacks a gzip body. @throws Failure `payload_too_large`, `bad_request` */
async function unpackedBody(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBytes);
    throw new Failure('bad_request', 'The body is not valid gzip.');
  }
}

/** Returns the failure for a body above its route's limit. */
function bodyTooLarge(maxBytes: number): Failure {
  return new Failure(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes uncompressed, which is the limit of this route.`,
  );
}

/**
 * Receives and unpacks a request body. Stops reading once the limit is exceeded.
 * @param idleSeconds maximum silence of the client
 * @throws Failure
 */
export async function readBytes(
  request: Request,
  response: Response,
  { maxBytes, takesGzip }: BodyLimit,
  idleSeconds: number,
): Promise<Buffer> {
  const idle = limitIdle(request, idleSeconds);
  try {
    const packed = isPacked(request, takesGzip);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
    const bytes = await Promise.race([receive(request, maxBytes), idle.exceeded]);
    return packed ? await unpackedBody(bytes, maxBytes) : bytes;
  } catch (error) {
    drainAndClose(request, response);
    throw error;
  } finally {
    idle.release();
  }
}

function isPacked(request: Request, takesGzip: boolean): boolean {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return false;
  if (takesGzip && (encoding === 'gzip' || encoding === 'x-gzip')) return true;
  const message = takesGzip
    ? 'The content encoding of the body is not supported. Send it with gzip or without Content-Encoding.'
    : 'This route does not accept a compressed body. Send it without Content-Encoding.';
  const headers = { 'Accept-Encoding': takesGzip ? 'gzip' : 'identity' };
  throw new Failure('unsupported_media_type', message, { headers });
}

async function receive(request: Request, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Keeps the connection open for the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('bad_request', 'The request body could not be read.');
  }
  return Buffer.concat(chunks);
}
