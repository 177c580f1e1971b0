import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { CHANGE } from '../facts/change.js';
import { changesOf } from '../facts/changes.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { loadContext } from './load-context.js';
import { reclassifyStoredNaps } from './reclassify-naps.js';
import { findRedated, storeDates } from './redate-sessions.js';
import { refreshRollUps } from './roll-up-invalidations.js';

/** Number of days per transaction. Limits how long the user's row is locked. */
const BATCH_DAYS = 32;

/** Changes of a chunk and the start of the next chunk. Without `resumeAt`, all items are dated. */
export interface RedateOutcome {
  corrected: number;
  resumeAt?: Date;
}

/**
 * Redates one chunk of items without an offset by the user's current offsets and zones, in the caller's transaction.
 * Updates the roll-ups of all possible former days and the new days. Repeating a chunk changes nothing.
 * @param from start of the chunk; undefined for the first chunk
 * @returns in `corrected` the number of nights with a new date; after the last chunk, the number of sessions with a
 * corrected nap status
 * @throws UserMissingError
 */
export async function redateItems(
  client: pg.ClientBase,
  userKey: number,
  sleepEndGapMinutes: number,
  from?: Date,
): Promise<RedateOutcome> {
  await lockUser(client, userKey);
  const firstMs = await oldestWithoutOffset(client, userKey, from);
  if (firstMs === undefined) return { corrected: await reclassifyStoredNaps(client, userKey, sleepEndGapMinutes) };
  const endMs = firstMs + BATCH_DAYS * MS_PER_DAY;
  const context = await loadContext(client, userKey, sleepEndGapMinutes, { fromMs: firstMs, toMs: endMs });
  const redated = await findRedated(context, [{ fromMs: firstMs, toMs: endMs - 1 }]);
  await storeDates(context, redated);
  const nights = redated.nights.flatMap(({ before, date }) => [before, date]);
  for (const { sourceId, fromMs, toMs } of redated.assembled) {
    const date = context.timeline.localDateOf(toMs, undefined);
    const { rows } = await client.query<{ id: string; before: string }>(
      `update sleep_session s set wake_date = $4 from sleep_session old
        where s.user_key = $1 and s.source_id = $2 and s.start_at = to_timestamp($3::float8 / 1000) and s.assembled
          and old.user_key = s.user_key and old.id = s.id and old.wake_date <> $4 returning s.id, old.wake_date::text as before`,
      [userKey, sourceId, fromMs, date],
    );
    for (const { id, before } of rows) {
      nights.push(before, date);
      changesOf(client, userKey).addItem('sleep_session', id, CHANGE.redated, [before, date]);
    }
  }
  const dirtyDays = await daysWithoutOffset(client, userKey, firstMs, endMs);
  await refreshRollUps(context, [{ dirtyDays, nights: new Set(nights) }]);
  return { corrected: nights.length / 2, resumeAt: new Date(endMs) };
}

/** Returns the start of the first item without an offset at or after `from`. */
async function oldestWithoutOffset(client: pg.ClientBase, userKey: number, from?: Date): Promise<number | undefined> {
  const oldest = (table: string) =>
    `select min(start_at) as at from ${table} where user_key = $1 and offset_minutes is null and start_at >= $2`;
  const { rows } = await client.query<{ first_ms: number | null }>(
    `select extract(epoch from min(at))::float8 * 1000 as first_ms
       from (${['sample', 'sleep_session', 'workout'].map(oldest).join(' union all ')}) found`,
    [userKey, from?.toISOString() ?? '-infinity'],
  );
  const firstMs = rows[0]?.first_ms;
  return firstMs == null ? undefined : Math.floor(firstMs);
}

/** Returns all possible local dates of samples without an offset. */
async function daysWithoutOffset(
  client: pg.ClientBase,
  userKey: number,
  fromMs: number,
  toMs: number,
): Promise<DirtyDays> {
  const { rows } = await client.query<{ type_id: number; source_id: number; day: number }>(
    `select distinct type_id, source_id, floor(extract(epoch from start_at) / 86400)::int4 as day
       from sample where user_key = $1 and offset_minutes is null
                     and start_at >= to_timestamp($2::float8 / 1000) and start_at < to_timestamp($3::float8 / 1000)`,
    [userKey, fromMs, toMs],
  );
  const dirtyDays = new DirtyDays();
  for (const { type_id, source_id, day } of rows) {
    for (const date of [day - 1, day, day + 1]) dirtyDays.add(type_id, source_id, date, CHANGE.redated);
  }
  return dirtyDays;
}
