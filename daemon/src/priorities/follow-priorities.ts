import type { DatabaseChannels } from '../platform/database/index.js';
import { PRIORITY_CHANNEL } from './priority-list.js';
import type { PriorityStore } from './priority-store.js';

/**
 * Makes the summaries of this process follow the priorities that any process changes, for as long as the channels are open.
 * While their connection is lost, priorities are at most five seconds old.
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
