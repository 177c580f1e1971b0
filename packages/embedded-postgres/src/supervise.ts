import type { Postmaster } from './postmaster.js';
import { isAlive } from './process-identity.js';

const RESTARTS = 3;
/** Uptime after which a restarted server gets the full number of restarts again. */
const SETTLED_SECONDS = 600;
const POLL_MS = 250;

export interface Supervision {
  first: Postmaster;
  /** Starts the server again. */
  restart(): Promise<Postmaster>;
  /** Called before each restart, with its number from 1. */
  onRestart?: ((count: number) => void) | undefined;
  /** Called once when the server has ended too often to be restarted again. */
  onAbandoned?: (() => void) | undefined;
  /** Receives a sentence about a failed restart. */
  onProgress?: ((line: string) => void) | undefined;
}

/** Watches a server and restarts it after it ends, up to three times in a row. */
export function supervise({ first, restart, onRestart, onAbandoned, onProgress }: Supervision) {
  let server = first;
  let sinceMs = Date.now();
  let restarts = 0;
  let restarting: Promise<void> | undefined;
  let isStopped = false;

  const revive = async () => {
    if (Date.now() - sinceMs > SETTLED_SECONDS * 1000) restarts = 0;
    while (!isStopped && restarts < RESTARTS) {
      restarts++;
      onRestart?.(restarts);
      try {
        server = await restart();
        sinceMs = Date.now();
        return;
      } catch (error) {
        onProgress?.(error instanceof Error ? error.message : String(error));
      }
    }
    clearInterval(watch);
    if (!isStopped) onAbandoned?.();
  };
  const watch = setInterval(() => {
    if (restarting !== undefined || isAlive(server.pid)) return;
    restarting = revive().finally(() => {
      restarting = undefined;
    });
  }, POLL_MS);
  watch.unref();

  return {
    pid: () => server.pid,
    /** Stops watching, even during a restart. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(watch);
      await restarting;
    },
  };
}
