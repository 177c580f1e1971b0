import type { IncomingMessage } from 'node:http';

/**
 * Calls `onIdle` when nothing has arrived on a request's connection for `idleMs`, and returns how to stop watching. It
 * counts the connection's bytes instead of listening to the body, so that it never changes how the body flows.
 */
export function watchIdle(request: IncomingMessage, idleMs: number, onIdle: () => void): () => void {
  const { socket } = request;
  let seen = socket.bytesRead;
  let since = performance.now();
  const timer = setInterval(
    () => {
      if (request.complete) {
        clearInterval(timer);
      } else if (socket.bytesRead !== seen) {
        seen = socket.bytesRead;
        since = performance.now();
      } else if (performance.now() - since >= idleMs) {
        clearInterval(timer);
        onIdle();
      }
    },
    Math.max(10, Math.min(1000, idleMs / 4)),
  );
  timer.unref();
  return () => clearInterval(timer);
}
