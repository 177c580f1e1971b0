import { UserMissingError } from '../../platform/database/index.js';
import { DecideLimitError } from '../../store/write/index.js';
import type { DrainServices } from './drain-services.js';
import { endOverLimit, processGroup } from './process-group.js';
import { type WaitingBatch, waitingBatches } from './waiting-batches.js';

/** Maximum number of batches per transaction: many small batches share one commit. */
const GROUP_BATCHES = 16;
const GROUP_BYTES = 4 * 1024 * 1024;
/** Approximate compression ratio. */
const PACKED = 16;

/**
 * Returns the oldest batches that are small enough to share a transaction. A batch that was started or ended before is
 * processed alone.
 */
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
 * Processes the batches of a user's devices, oldest first, until no batch waits or `until` has passed.
 * @returns the number of ended batches, and whether more batches wait
 * @throws errors that are not a batch's fault; all batches that were not ended are processed again
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
      // Stops, because the user's batches were deleted with the user.
      if (error instanceof UserMissingError) return { ended, more: false };
      if (!(error instanceof DecideLimitError)) throw error;
      // A batch that was started is processed alone from now on.
      const [batch] = group;
      if (group.length > 1 || !batch) continue;
      await endOverLimit(services, batch, error);
    }
    ended += group.length;
  }
}
