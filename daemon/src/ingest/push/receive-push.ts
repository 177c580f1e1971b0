import type { BodyEncoding } from '@healthd/providers';
import type { Request, Response } from 'express';
import { drainAndClose } from '../../platform/drain-and-close.js';
import { Failure } from '../../platform/failures.js';
import { bodyTooLarge, type ReceivedPush, receiveBody } from './pushed-body.js';

export interface PushLimits {
  /** Maximum size of a body in bytes, packed and unpacked. */
  maxBytes: number;
}

/**
 * Receives a push body without checking its content type, which some clients omit.
 * @param gaveUp rejects if the client is too slow; its rejection is thrown
 * @param keep called with the size of each chunk that is buffered
 * @throws Failure
 */
export async function receivePush(
  request: Request,
  response: Response,
  limits: PushLimits,
  gaveUp: Promise<never>,
  keep: (bytes: number) => void = () => {},
): Promise<ReceivedPush> {
  try {
    const encoding = encodingOf(request);
    if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw bodyTooLarge(limits.maxBytes);
    return await Promise.race([receiveBody(request, encoding, limits.maxBytes, keep), gaveUp]);
  } catch (error) {
    drainAndClose(request, response);
    throw error;
  }
}

function encodingOf(request: Request): BodyEncoding {
  const sent = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (sent === '' || sent === 'identity') return 'identity';
  if (sent === 'gzip' || sent === 'x-gzip') return 'gzip';
  throw new Failure(
    'unsupported_media_type',
    'The content encoding of the body is not supported. Send it with gzip or without Content-Encoding.',
  );
}
