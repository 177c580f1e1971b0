import type { Request, Response } from 'express';

/** How long a client may go on sending after it was answered, so that it gets to read the answer. */
const LINGER_MS = 5_000;

/** Reads on for a moment after a refusal, then hangs up: a client that still sends would never see the answer else. */
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
