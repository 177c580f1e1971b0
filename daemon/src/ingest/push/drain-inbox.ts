import { UserMissingError } from '../../platform/database/index.js';
import { DecideLimitError } from '../../store/write/index.js';
import type { DrainServices } from './drain-services.js';
import { endOverLimit, processGroup } from './process-group.js';
import { type WaitingBatch, waitingBatches } from './waiting-batches.js';

/** Batches that are written in one transaction: many small ones cost one commit instead of one each. */
const GROUP_BATCHES = 16;
const GROUP_BYTES = 4 * 1024 * 1024;
/** About how many plain bytes a packed one stands for. */
const PACKED = 16;

/** The oldest batches that are small enough to be written together; one that was begun or ended before stays alone. */
function groupOf(waiting: readonly WaitingBatch[]): WaitingBatch[] {
  const group: WaitingBatch[] = [];
  let bytes = 0;
  for (const batch of waiting) {
    bytes += batch.encoding === 'gzip' ? batch.byteSize * PACKED : batch.byteSize;
    const isAlone = batch.attempts > 0 || batch.retriedSince !== null;
    if (group.length > 0 && (bytes > GROUP_BYTES || isAlone)) break;
    group.push(batch);
    if (isAlone) break;
  }
  return group;
}

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
      if (!(error instanceof DecideLimitError)) throw error;
      // A batch that was begun is a group alone from now on.
      const [batch] = group;
      if (group.length > 1 || !batch) continue;
      await endOverLimit(services, batch, error);
    }
    ended += group.length;
  }
}
