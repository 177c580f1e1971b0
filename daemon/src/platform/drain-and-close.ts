import type { Request, Response } from 'express';

/** Time after the response for which a client may keep sending, so that it can read the response. */
const LINGER_MS = 5_000;

/**
 * Drains the request briefly after a rejection, then closes. Otherwise a client that is still sending never sees the
 * response.
 */
export function drainAndClose(request: Request, response: Response): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  response.once('finish', () => {
    setTimeout(() => {
      if (!request.complete) request.destroy();
    }, LINGER_MS).unref();
  });
}
