import { constants, createGzip, type Gzip } from 'node:zlib';
import compress from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Smaller answers are not worth the processor time: a header and a checksum would eat up what is saved. */
const THRESHOLD_BYTES = 1024;

/** JSON shrinks to a tenth at the fastest level already; slower levels save little more. */
const LEVEL = constants.Z_BEST_SPEED;

/**
 * Compresses answers that are sent in one piece with gzip, where the caller takes it. Brotli costs too much processor
 * time for answers that are made at each request; only files compressed at build are sent with it. Streams are
 * compressed by `streamCompressor`.
 */
export function compressAnswers(): RequestHandler[] {
  return [offerGzipOnly, compress({ threshold: THRESHOLD_BYTES, level: LEVEL, filter: isNoEventStream })];
}

/** Events must not wait for each other in a compressor. */
function isNoEventStream(request: Request, response: Response): boolean {
  return (
    !String(response.getHeader('Content-Type')).startsWith('text/event-stream') && compress.filter(request, response)
  );
}

function offerGzipOnly(request: Request, _response: Response, next: NextFunction): void {
  request.headers['accept-encoding'] = request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
  next();
}

/**
 * What a stream passes through on its way to the caller: gzip for JSON, nothing for a caller that does not take it, for
 * event streams, whose events must not wait for each other, and for archives, which are compressed already. Sets the
 * headers that go with it.
 */
export function streamCompressor(request: Request, response: Response): Gzip | undefined {
  const type = String(response.getHeader('Content-Type'));
  if (!/^application\/(x-nd)?json\b/.test(type)) return undefined;
  response.vary('Accept-Encoding');
  if (request.method === 'HEAD' || !request.acceptsEncodings('gzip')) return undefined;
  response.set('Content-Encoding', 'gzip');
  // Line by line what has been written so far must arrive; a page of JSON is of no use before its end.
  const flush = type.startsWith('application/x-ndjson') ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH;
  return createGzip({ level: LEVEL, flush });
}
