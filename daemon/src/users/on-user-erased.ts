import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsentEnd } from '@healthd/contract';

/** Called with a connection and the outcome of its consent. */
export type ConsentListener = (connectionId: string, end: ConsentEnd) => void;

/**
 * Deregisters a user elsewhere, e.g. at a vendor. The signal aborts at the time limit. Must report the outcome of each
 * consent to `onEnd` immediately, so that it is available even if another consent takes too long.
 */
export type UserErasedHook = (
  user: { id: string; userKey: number },
  signal: AbortSignal,
  onEnd: ConsentListener,
) => Promise<void>;

const MOST_SECONDS = 10;

/**
 * Calls every hook with a time limit. Ignores failures after reporting them, because they must never prevent an
 * erasure.
 */
export async function notifyUserErased(
  hooks: readonly UserErasedHook[],
  user: { id: string; userKey: number },
  onFailure: (error: unknown) => void,
  onEnd: ConsentListener,
  mostSeconds = MOST_SECONDS,
): Promise<void> {
  await Promise.all(
    hooks.map(async (hook) => {
      const over = new AbortController();
      const late = sleep(mostSeconds * 1000, undefined, { signal: over.signal }).then(() => {
        throw new Error('a deregistration took too long');
      });
      try {
        await Promise.race([hook(user, over.signal, onEnd), late]);
      } catch (error) {
        onFailure(error);
      } finally {
        late.catch(() => undefined);
        over.abort();
      }
    }),
  );
}
