import type { Request } from 'express';
import { Failure } from '../platform/failures.js';

/** A limit on the client's silence while a request is read. */
export interface IdleLimit {
  /** Rejects with a failure if no data arrives for too long. Never resolves. */
  exceeded: Promise<never>;
  release(): void;
}

/**
 * Limits the client's silence. Never interrupts a slow but active client.
 * @param code code of the failure: `unavailable` for clients that drop data after a 4xx
 */
export function limitIdle(
  request: Request,
  seconds: number,
  code: 'request_timeout' | 'unavailable' = 'request_timeout',
): IdleLimit {
  // Keeps the socket, because an aborted request no longer has a socket.
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
