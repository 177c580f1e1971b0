import { constants, createGzip, type Gzip } from 'node:zlib';
import compress from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Smaller responses are not compressed: a header and a checksum would use up the savings. */
const THRESHOLD_BYTES = 1024;

/** JSON shrinks to a tenth at the fastest level; slower levels save little more. */
const LEVEL = constants.Z_BEST_SPEED;

/**
 * Compresses complete responses with gzip if the client accepts it. Brotli costs too much CPU time for dynamic
 * responses, so only files compressed at build time use it. `streamCompressor` compresses streams.
 */
export function compressResponses(): RequestHandler[] {
  return [offerGzipOnly, compress({ threshold: THRESHOLD_BYTES, level: LEVEL, filter: isCompressible })];
}

/** True if the response may be compressed. Compression would delay the events of an event stream. */
function isCompressible(request: Request, response: Response): boolean {
  return (
    !String(response.getHeader('Content-Type')).startsWith('text/event-stream') && compress.filter(request, response)
  );
}

function offerGzipOnly(request: Request, _response: Response, next: NextFunction): void {
  request.headers['accept-encoding'] = request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
  next();
}

/**
 * Returns the compressor of a stream, and sets the matching headers. Compresses JSON with gzip if the client accepts
 * it. Skips event streams, because compression would delay events, and archives, which are already compressed.
 */
export function streamCompressor(request: Request, response: Response): Gzip | undefined {
  const type = String(response.getHeader('Content-Type'));
  if (!/^application\/(x-nd)?json\b/.test(type)) return undefined;
  response.vary('Accept-Encoding');
  if (request.method === 'HEAD' || !request.acceptsEncodings('gzip')) return undefined;
  response.set('Content-Encoding', 'gzip');
  // Line-based formats must arrive line by line; a page of JSON is useless before its end.
  const flush = type.startsWith('application/x-ndjson') ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH;
  return createGzip({ level: LEVEL, flush });
}
