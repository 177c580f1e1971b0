import { UserMissingError } from '../../platform/database/index.js';
import { GROUP_BATCHES, groupOf } from './batch-group.js';
import type { DrainServices } from './drain-services.js';
import { processGroup } from './process-group.js';
import { waitingBatches } from './waiting-batches.js';

/**
 * Processes what a user's devices have sent, oldest first, until nothing waits.
 * @returns how many batches were ended
 * @throws what is no fault of a batch; everything that was not ended is processed again
 */
export async function drainInbox(
  services: DrainServices,
  userKey: number,
  signal: AbortSignal,
  until = Number.POSITIVE_INFINITY,
): Promise<{ ended: number; more: boolean }> {
  let ended = 0;
  for (;;) {
    signal.throwIfAborted();
    const group = groupOf(await waitingBatches(services.pool, userKey, GROUP_BATCHES));
    if (group.length === 0) return { ended, more: false };
    if (performance.now() > until) return { ended, more: true };
    try {
      await processGroup(services, userKey, group, signal);
    } catch (error) {
      // The user's batches went with the user.
      if (error instanceof UserMissingError) return { ended, more: false };
      throw error;
    }
    ended += group.length;
  }
}
