import type { Request } from 'express';
import { Failure } from '../platform/failures.js';

/** Limits silence while a request is read. */
export interface IdleLimit {
  /** Rejects with a failure if no data arrives for too long; never resolves. */
  exceeded: Promise<never>;
  release(): void;
}

/**
 * Limits a sender's silence. A slow but active sender is never cut off.
 * @param code code of the failure: `unavailable` for clients that drop data after a 4xx
 */
export function limitIdle(
  request: Request,
  seconds: number,
  code: 'request_timeout' | 'unavailable' = 'request_timeout',
): IdleLimit {
  // An aborted request has no socket.
  const { socket } = request;
  let expire = () => {};
  const exceeded = new Promise<never>((_resolve, reject) => {
    const headers = { Connection: 'close' };
    expire = () =>
      reject(
        new Failure(code, 'The request timed out because no data arrived for too long. Send it again.', { headers }),
      );
  });
  // A rejection that no caller awaits must not crash the process.
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
