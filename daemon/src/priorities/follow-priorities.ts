import type pg from 'pg';
import type { DatabaseChannels } from '../platform/database/index.js';
import { PRIORITY_CHANNEL } from './priority-list.js';
import { forgetPriorities } from './ranking.js';

/**
 * Makes the summaries of this pool follow the priorities that any process changes, for as long as the channels are open.
 * While their connection is lost, priorities are at most five seconds old.
 */
export async function followPriorities({
  pool,
  channels,
}: {
  pool: pg.Pool;
  channels: DatabaseChannels;
}): Promise<void> {
  const forget = () => forgetPriorities(pool);
  await channels.listen(PRIORITY_CHANNEL, { onMessage: forget, onListening: forget }).attempted;
}
