import type { Request } from 'express';
import { Failure } from '../platform/failures.js';

/** A limit on silence while a request is read. */
export interface IdleLimit {
  /** Rejects with a failure when nothing arrived for too long; never resolves. */
  exceeded: Promise<never>;
  release(): void;
}

/**
 * Limits how long a sender may stay silent; a slow one that keeps sending is never cut off.
 * @param code of the failure: `unavailable` for clients that drop for good what a 4xx answers
 */
export function limitIdle(
  request: Request,
  seconds: number,
  code: 'request_timeout' | 'unavailable' = 'request_timeout',
): IdleLimit {
  // A request that was cut off has none any more.
  const { socket } = request;
  let expire = () => {};
  const exceeded = new Promise<never>((_resolve, reject) => {
    const headers = { Connection: 'close' };
    expire = () =>
      reject(
        new Failure(code, 'No data of the request came for too long, so it was ended. Send it again.', { headers }),
      );
  });
  // A rejection that no caller waits for must not crash the process.
  exceeded.catch(() => undefined);
  request.setTimeout(seconds * 1000, expire);
  return {
    exceeded,
    release() {
      request.off('timeout', expire);
      socket.setTimeout(0);
    },
  };
}
