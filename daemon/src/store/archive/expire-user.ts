import { fromDayNumber, MAX_OFFSET_MS, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUser } from '../../platform/database/index.js';
import { instantsOf } from '../derived/days/planned-reads.js';
import { unlistBefore } from '../facts/pushed/pushed-samples.js';
import { readSamples } from '../facts/samples/sample-reader.js';
import { localDayOf, sampleKeyOf } from '../facts/samples/sample-rows.js';
import { deleteKeys } from '../facts/samples/sample-store.js';
import { removeOrphanedExtremes } from '../facts/samples/stored-extremes.js';
import { type OldWindow, oldWindow } from './old-window.js';

/** Local days that one transaction deletes of one series. */
const WINDOW_DAYS = 32;

export interface ExpireOptions {
  /** Local days before this one (days since 1970-01-01) are deleted. */
  beforeDay: number;
  /** Records that something is deleted, in the first transaction that does. */
  audit: (client: pg.ClientBase) => Promise<void>;
  /** Ends the work between two transactions. */
  signal?: AbortSignal | undefined;
}

/** What deleting old data removed. */
export interface Expired {
  /** Samples, those included that were archived. */
  samples: number;
  /** Daily figures of one series and source. */
  days: number;
}

/**
 * Deletes a user's samples of local days before `beforeDay`, archived ones included, and all figures made of them.
 * Sessions and scores stay. Some days of one series go in each transaction, so it can end at any moment and go on later.
 * @throws UserMissingError
 */
export async function expireUser(
  pool: pg.Pool,
  userKey: number,
  { beforeDay, signal, audit }: ExpireOptions,
): Promise<Expired> {
  const expired: Expired = { samples: 0, days: 0 };
  const { rows } = await pool.query<{ type_id: number }>(TYPES, [userKey]);
  for (const { type_id: typeId } of rows) {
    for (let done = false; !done; ) {
      signal?.throwIfAborted();
      const window = await inTransaction(pool, async (client) => {
        await lockUser(client, userKey);
        const gone = await expireWindow(client, userKey, typeId, beforeDay);
        if (gone.samples + gone.days > 0 && expired.samples + expired.days === 0) await audit(client);
        return gone;
      });
      expired.samples += window.samples;
      expired.days += window.days;
      done = window.done;
    }
  }
  await inTransaction(pool, async (client) => {
    await lockUser(client, userKey);
    await forgetFigures(client, userKey, fromDayNumber(beforeDay));
    await unlistBefore(client, userKey, beforeDay * MS_PER_DAY - MAX_OFFSET_MS);
  });
  return expired;
}

/** Series of which anything is stored, found by leaping through the key. */
const TYPES = `
with recursive found (type_id) as (
  (select type_id from day_value where user_key = $1 order by type_id limit 1)
  union all
  select (select v.type_id from day_value v where v.user_key = $1 and v.type_id > found.type_id
           order by v.type_id limit 1)
    from found where found.type_id is not null)
select type_id from found where type_id is not null`;

async function expireWindow(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  beforeDay: number,
): Promise<Expired & { done: boolean }> {
  const { rows: oldest } = await client.query<{ start_ms: number }>(
    `select extract(epoch from start_at)::float8 * 1000 as start_ms from sample
      where user_key = $1 and type_id = $2 and start_at < to_timestamp($3::float8 / 1000) order by start_at limit 1`,
    [userKey, typeId, beforeDay * MS_PER_DAY + MAX_OFFSET_MS],
  );
  let lastDay = beforeDay - 1;
  let samples = 0;
  const [first] = oldest;
  if (first) {
    const oldestMs = Math.round(first.start_ms);
    const window = await oldWindow(client, userKey, oldestMs, { beforeDay, days: WINDOW_DAYS });
    const { firstDay } = window;
    lastDay = window.lastDay;
    if (lastDay >= firstDay) {
      samples = await deleteSamples(client, userKey, typeId, window);
      await removeOrphanedExtremes(client, userKey, { typeIds: [typeId], firstDay, lastDay });
    }
  }
  const { rows } = await client.query<{ days: number; archived: number }>(FORGET_SERIES, [
    userKey,
    typeId,
    fromDayNumber(lastDay + 1),
  ]);
  const { days = 0, archived = 0 } = rows[0] ?? {};
  return { samples: samples + archived, days, done: lastDay >= beforeDay - 1 };
}

async function deleteSamples(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  { firstDay, lastDay, timeline }: OldWindow,
): Promise<number> {
  const rows = await readSamples(client, userKey, [{ typeId, ...instantsOf(firstDay, lastDay, timeline) }]);
  const old = Array.from({ length: rows.length }, (_, row) => row).filter(
    (row) => localDayOf(rows, row, timeline) <= lastDay,
  );
  return deleteKeys(
    client,
    userKey,
    old.map((row) => sampleKeyOf(rows, row)),
  );
}

const FORGET_SERIES = `
with days as (
  delete from day_value where user_key = $1 and type_id = $2 and local_date < $3::date returning 1
), archived as (
  delete from day_archive where user_key = $1 and type_id = $2 and local_date < $3::date returning sample_count
), merged as (
  delete from merged_archive where user_key = $1 and type_id = $2 and local_date < $3::date
), totals as (
  delete from day_merged where user_key = $1 and type_id = $2 and local_date < $3::date
)
select (select count(*) from days)::int4 as days, (select coalesce(sum(sample_count), 0) from archived)::int4 as archived`;

/** Figures over several series, and minutes, whose UTC days may reach a day further than local ones. */
async function forgetFigures(client: pg.ClientBase, userKey: number, before: string): Promise<void> {
  await client.query('delete from day_minutes where user_key = $1 and local_date < $2::date', [userKey, before]);
  await client.query('delete from night_value where user_key = $1 and wake_date < $2::date', [userKey, before]);
  await client.query('delete from night_archive where user_key = $1 and wake_date < $2::date', [userKey, before]);
  await client.query('delete from night_source where user_key = $1 and wake_date < $2::date', [userKey, before]);
  await client.query('delete from archived_minute where user_key = $1 and utc_date < $2::date - 1', [userKey, before]);
}
