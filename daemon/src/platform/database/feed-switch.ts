import type pg from 'pg';
import { TransactionValue } from './transaction-state.js';

/**
 * State of the feed's switch in a transaction; undefined until the transaction asks. It cannot change afterwards,
 * because `is_feed_on` keeps a lock until the transaction ends. `lockUser` asks together with the user's lock.
 */
export const FEED_SWITCH = new TransactionValue((): { isOn?: boolean | undefined } => ({}));

/** True if the feed is on. No process can turn it on or off until the transaction ends. */
export async function isFeedOn(client: pg.ClientBase): Promise<boolean> {
  const feed = FEED_SWITCH.in(client);
  if (feed.isOn === undefined) {
    const { rows } = await client.query<{ is_on: boolean }>({
      name: 'feed-is-on',
      text: 'select is_feed_on() as is_on',
    });
    feed.isOn = rows[0]?.is_on === true;
  }
  return feed.isOn;
}
