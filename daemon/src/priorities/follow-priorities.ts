import type { DatabaseChannels } from '../platform/database/index.js';
import { PRIORITY_CHANNEL } from './priority-list.js';
import type { PriorityStore } from './priority-store.js';

/**
 * Clears the cached priorities when any process changes them, while the channels are open. If their connection is lost, the
 * cache is at most five seconds old.
 */
export async function followPriorities({
  priorities,
  channels,
}: {
  priorities: PriorityStore;
  channels: DatabaseChannels;
}): Promise<void> {
  const forget = () => priorities.forget();
  await channels.listen(PRIORITY_CHANNEL, { onMessage: forget, onListening: forget }).attempted;
}
