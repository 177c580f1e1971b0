import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Failure } from '../platform/failures.js';

const unpack = promisify(gunzip);

/** The bytes of a gzip body. @throws Failure `payload_too_large`, `bad_request` */
export async function unpackedBody(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBytes);
    throw new Failure('bad_request', 'The body is not valid gzip.');
  }
}

/** The failure for a body above the limit of its route. */
export function bodyTooLarge(maxBytes: number): Failure {
  return new Failure(
    'payload_too_large',
    `The body is larger than the ${maxBytes} bytes that this route accepts, unpacked.`,
  );
}
