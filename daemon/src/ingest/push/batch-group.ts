import type { WaitingBatch } from './waiting-batches.js';

/** Batches that are written in one transaction: many small ones cost one commit instead of one each. */
export const GROUP_BATCHES = 16;
const GROUP_BYTES = 4 * 1024 * 1024;
/** About how many plain bytes a packed one stands for. */
const PACKED = 16;

/** The oldest batches that are small enough to be written together; one that was begun or ended before stays alone. */
export function groupOf(waiting: readonly WaitingBatch[]): WaitingBatch[] {
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
