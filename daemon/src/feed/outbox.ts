import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { isFeedOn, onCommit, TransactionValue } from '../platform/database/index.js';
import { allChangesIn, CHANGE, type UserChanges } from '../store/facts/index.js';
import { dataChangesOf } from './change-rows.js';

/** Channel on which `record_feed_event` announces an event, so that the sequencer numbers it at once. */
export const EVENT_CHANNEL = 'healthd_feed_event';

/** The key of events that belong to no user. */
const NO_USER = 0;

/** Sizes of changes above which storing them takes several turns of the event loop. */
const ITEMS_PER_TURN = 5_000;
const BODY_CHARACTERS_PER_TURN = 500_000;

/** A feed entry that is not about health data. It has an ordinal and no position. */
export interface FeedEvent {
  /** Undefined for an event of the service. */
  userKey?: number;
  kind: 'selection' | 'user' | 'connection' | 'run';
  body: object;
}

const EVENTS = new TransactionValue((): FeedEvent[] => []);

/** Adds an event to the client's transaction. {@link storeChanges} writes it before the commit. */
export function addEvent(client: pg.ClientBase, event: FeedEvent): void {
  EVENTS.in(client).push(event);
}

/**
 * Writes the events and the entries of all changes that the store made in this transaction, with one statement per
 * user. The transaction holds the locks of the changed users, so their positions have no gaps. Writes nothing while the
 * feed is off.
 * @returns true if entries were written, so that the caller wakes the sequencer
 */
export async function storeChanges(client: pg.ClientBase): Promise<boolean> {
  const hasChanges = allChangesIn(client).size > 0 || EVENTS.existingIn(client) !== undefined;
  if (!hasChanges || !(await isFeedOn(client))) return false;
  const entries = new Map<number, { isData: boolean; kind: string; body: object }[]>();
  for (const [userKey, changes] of allChangesIn(client)) {
    const isLarge = [...changes.items.values()].some(({ size }) => size > ITEMS_PER_TURN);
    if (isLarge) await nextTurn();
    const own = dataChangesOf(changes);
    if (isLarge) await nextTurn();
    if (own.length === 0) continue;
    entries.set(
      userKey,
      own.map((entry) => ({ isData: true, ...entry })),
    );
    await storeExpiry(client, userKey, changes);
  }
  for (const { userKey = NO_USER, kind, body } of EVENTS.existingIn(client) ?? []) {
    const own = entries.get(userKey) ?? [];
    entries.set(userKey, own);
    own.push({ isData: false, kind, body });
  }
  for (const [userKey, own] of entries) {
    const positions = own.filter(({ isData }) => isData).length;
    const bodies = own.map(({ body }) => JSON.stringify(body));
    if (bodies.reduce((sum, { length }) => sum + length, 0) > BODY_CHARACTERS_PER_TURN) await nextTurn();
    await client.query({
      name: 'feed-store-changes',
      text: STORE_CHANGES,
      values: [userKey, positions, own.length - positions, own.map(({ kind }) => kind), bodies],
    });
  }
  return entries.size > 0;
}

/**
 * Records the changes of a pool's transactions if the feed is on.
 * @param onStored called after the commit of changes; the service numbers them within seconds without it
 */
export function recordIfOn(pool: pg.Pool, onStored: () => void = () => {}): void {
  onCommit(pool, async (client) => ((await storeChanges(client)) ? onStored : undefined));
}

/** Stores the day before which samples were deleted because of their age. Digests cannot verify earlier days. */
async function storeExpiry(client: pg.ClientBase, userKey: number, { samples }: UserChanges): Promise<void> {
  for (const [typeId, days] of samples) {
    let before: number | undefined;
    for (const [day, change] of days) {
      if ((change & CHANGE.expired) !== 0) before = Math.max(before ?? 0, day + 1);
    }
    if (before === undefined) continue;
    await client.query(
      `insert into expired_series as known (user_key, type_id, before) values ($1, $2, $3)
       on conflict (user_key, type_id) do update set before = greatest(known.before, excluded.before)`,
      [userKey, typeId, fromDayNumber(before)],
    );
  }
}

/** Writes an event in the caller's transaction, if the feed is on. */
export async function storeEvent(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  { userKey = NO_USER, kind, body }: FeedEvent,
): Promise<void> {
  await client.query('select record_feed_event($1, $2, $3)', [userKey, kind, JSON.stringify(body)]);
}

/** Parameters: user; number of data changes; number of events; kinds and bodies, with data changes first. */
const STORE_CHANGES = `
with data as (
  insert into user_state as stored (user_key, position, changed_at)
  select $1, $2::int8, clock_timestamp() where $2::int8 > 0
  on conflict (user_key) do update
     set position = stored.position + excluded.position,
         changed_at = greatest(excluded.changed_at, stored.changed_at)
  returning position - $2 as before, changed_at
), event as (
  insert into user_events as stored (user_key, number, changed_at)
  select $1, $3::int8, clock_timestamp() where $3::int8 > 0
  on conflict (user_key) do update
     set number = stored.number + excluded.number, changed_at = greatest(excluded.changed_at, stored.changed_at)
  returning number - $3 - $2 as before, changed_at
)
insert into change (user_key, is_data, number, at, kind, body)
select $1, counter.is_data, counter.before + entry.place, counter.changed_at, entry.kind, entry.body::jsonb
  from (select true as is_data, * from data union all select false, * from event) counter
  join unnest($4::text[], $5::text[]) with ordinality as entry (kind, body, place)
    on counter.is_data = (entry.place <= $2)`;

/** Deletes an erased user's entries, and reports the erasure, in the caller's transaction. */
export async function eraseChanges(client: pg.ClientBase, user: { id: string; userKey: number }): Promise<void> {
  // First deletes the row that a computation of digests locks, so that no digest is stored afterwards.
  await client.query('delete from user_digest where user_key = $1', [user.userKey]);
  await client.query('delete from day_digest where user_key = $1', [user.userKey]);
  await client.query('delete from expired_series where user_key = $1', [user.userKey]);
  await client.query('delete from change where user_key = $1', [user.userKey]);
  await client.query('delete from user_events where user_key = $1', [user.userKey]);
  await client.query('delete from user_state where user_key = $1', [user.userKey]);
  await storeEvent(client, { kind: 'user', body: { action: 'deleted', user_id: user.id } });
}
