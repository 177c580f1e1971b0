import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { RouteDeclaration } from '@healthd/schemas';
import type { Request, Response } from 'express';
import { StreamingResponse } from './binding.js';
import { streamCompressor } from './compression.js';

/**
 * Sends a handler's response.
 * @param check true to compare it with the declaration first
 */
export async function sendResponse(
  route: RouteDeclaration,
  request: Request,
  response: Response,
  result: unknown,
  check: boolean,
): Promise<void> {
  if (response.headersSent) return;
  response.status(route.status);
  if (result instanceof StreamingResponse) return sendStream(request, response, result);
  if (route.status === 204) {
    response.end();
    return;
  }
  if (check && route.response) route.response.parse(result);
  response.json(result);
}

async function sendStream(request: Request, response: Response, result: StreamingResponse): Promise<void> {
  response.set(result.headers);
  const gzip = streamCompressor(request, response);
  if (request.method === 'HEAD') {
    await result.chunks[Symbol.asyncIterator]().return?.();
    response.end();
    return;
  }
  // Does not use `pipeline`, which would destroy the response if the chunks fail: before the first byte, a failure must
  // become an error response. An event stream sends its headers immediately, so that the client sees the connection
  // before the first event. Other responses send their headers with the first byte.
  if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) response.flushHeaders();
  const left = new AbortController();
  response.once('close', () => left.abort());
  if (gzip) {
    gzip.pipe(response);
    response.once('close', () => gzip.destroy());
  }
  const sink: Writable = gzip ?? response;
  for await (const chunk of result.chunks) {
    if (response.destroyed) return;
    // Sends the headers with the first chunk. Otherwise the compressor's buffer would decide whether a later failure
    // breaks the connection or becomes an error response.
    if (gzip && !response.headersSent) response.flushHeaders();
    if (!sink.write(chunk) && !response.destroyed) await drained(sink, left.signal);
  }
  sink.end();
}

/** Waits until the sink can accept more data or the client has disconnected. */
async function drained(sink: Writable, left: AbortSignal): Promise<void> {
  await once(sink, 'drain', { signal: left }).catch((error: unknown) => {
    if (!left.aborted) throw error;
  });
}
