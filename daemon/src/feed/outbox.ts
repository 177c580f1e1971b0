import type pg from 'pg';
import { allChangesIn } from '../store/facts/index.js';
import { dataChangesOf } from './change-rows.js';

/** The key of events that belong to no user. */
const NO_USER = 0;

/** A feed entry that is not about health data. It has an ordinal and no position. */
export interface FeedEvent {
  /** Undefined for an event of the service. */
  userKey?: number;
  kind: 'selection' | 'user' | 'connection' | 'run';
  body: object;
}

/**
 * Writes the entries of all changes that the store made in this transaction. The transaction holds the locks of the
 * changed users, so their positions have no gaps.
 * @returns true if there were any
 */
export async function storeChanges(client: pg.ClientBase): Promise<boolean> {
  let isAny = false;
  for (const [userKey, changes] of allChangesIn(client)) {
    const entries = dataChangesOf(changes);
    if (entries.length === 0) continue;
    isAny = true;
    await client.query({
      name: 'feed-store-changes',
      text: STORE_CHANGES,
      values: [
        userKey,
        entries.length,
        entries.map(({ kind }) => kind),
        entries.map(({ body }) => JSON.stringify(body)),
      ],
    });
  }
  return isAny;
}

/** Writes an event in the caller's transaction, if the feed is on. */
export async function storeEvent(client: pg.ClientBase, { userKey = NO_USER, kind, body }: FeedEvent): Promise<void> {
  await client.query(STORE_EVENT, [userKey, kind, JSON.stringify(body)]);
}

const STORE_CHANGES = `
with state as (
  insert into user_state as stored (user_key, position, changed_at) values ($1, $2, clock_timestamp())
  on conflict (user_key) do update
     set position = stored.position + excluded.position, changed_at = greatest(excluded.changed_at, stored.changed_at)
  returning position, changed_at
)
insert into change (user_key, is_data, number, at, kind, body)
select $1, true, state.position - $2 + entry.at, state.changed_at, entry.kind, entry.body::jsonb
  from state, unnest($3::text[], $4::text[]) with ordinality as entry (kind, body, at)`;

const STORE_EVENT = `
with state as (
  insert into user_state as stored (user_key, events, changed_at)
  select $1::int8, 1, clock_timestamp() from feed_state where is_on
  on conflict (user_key) do update
     set events = stored.events + excluded.events, changed_at = greatest(excluded.changed_at, stored.changed_at)
  returning events, changed_at
)
insert into change (user_key, is_data, number, at, kind, body)
select $1, false, state.events, state.changed_at, $2, $3::jsonb from state`;

/** Deletes an erased user's entries, and reports the erasure, in the caller's transaction. */
export async function eraseChanges(client: pg.ClientBase, user: { id: string; userKey: number }): Promise<void> {
  await client.query('delete from change where user_key = $1', [user.userKey]);
  await client.query('delete from user_state where user_key = $1', [user.userKey]);
  await storeEvent(client, { kind: 'user', body: { action: 'deleted', user_id: user.id } });
}
