import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsentEnd } from '@healthd/contract';

/** Called with a connection and what became of its consent. */
export type ConsentListener = (connectionId: string, end: ConsentEnd) => void;

/**
 * Deregisters a user somewhere else, at a vendor for example. The signal aborts when its time is over. What became of a
 * consent goes to `onEnd` immediately, so that it is known even if another one takes too long.
 */
export type UserErasedHook = (
  user: { id: string; userKey: number },
  signal: AbortSignal,
  onEnd: ConsentListener,
) => Promise<void>;

const MOST_SECONDS = 10;

/** Calls every hook, each for a limited time. What fails elsewhere never keeps a user from being erased here. */
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
