import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../platform/cleaning.js';
import { inTransaction } from '../platform/database/index.js';

/** Number of entries per transaction. The sequencer waits for a running transaction. */
const AT_ONCE = 2_000;

/**
 * Deletes old entries of the feed. Keeps entries about created and erased users longer, so that every receiver can apply
 * erasures.
 */
export function feedCleaning({
  pool,
  days,
  erasureDays,
}: {
  pool: pg.Pool;
  days: number;
  erasureDays: number;
}): Cleaning {
  return {
    name: 'clean-feed',
    everySeconds: SECONDS_PER_HOUR,
    async clean({ signal }) {
      for (let after: number | null = 0; after !== null; ) {
        signal.throwIfAborted();
        const from: number = after;
        after = await inTransaction(pool, async (client) => {
          // Excludes the sequencer, which must not number a deleted entry.
          await client.query('select from feed_state for update');
          const { rows } = await client.query<{ next: number | null }>(DELETE_OLD, [days, erasureDays, from]);
          return rows[0]?.next ?? null;
        });
      }
    },
  };
}

/**
 * Reads some entries in order of ordinals and deletes the old entries. Parameters: days, days of
 * entries about users, ordinal after which it reads. Returns the ordinal after which the next transaction reads; null if all these entries are new
 * or no entries follow. Entries are nearly in the order of their times, but a clock that jumped ahead leaves entries
 * with future times between older entries.
 */
const DELETE_OLD = `
with oldest as (
  select user_key, is_data, number, ordinal,
         at < now() - make_interval(days => $1) as is_old, at > now() + interval '1 minute' as is_future
    from change
   where ordinal > $3::int8 and (kind <> 'user' or at < now() - make_interval(days => greatest($1, $2)))
   order by ordinal limit ${AT_ONCE}
), deleted as (
  delete from change c using oldest
   where c.user_key = oldest.user_key and c.is_data = oldest.is_data and c.number = oldest.number
     and oldest.is_old
  returning c.ordinal
), noted as (
  update feed_state
     set deleted_ordinal = greatest(deleted_ordinal, (select max(ordinal) from deleted))
   where exists (select from deleted)
)
select case when bool_or(is_old or is_future) and count(*) = ${AT_ONCE} then max(ordinal) end as next from oldest`;
