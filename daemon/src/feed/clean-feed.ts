import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import type { Cleaning } from '../platform/cleaning.js';
import { inTransaction } from '../platform/database/index.js';
import { IS_TOMBSTONE } from './read-changes.js';

/** Number of entries per transaction. The sequencer waits for a running transaction. */
const AT_ONCE = 2_000;

/** Deletes old entries of the feed. Keeps erasures of users longer, so that every receiver can apply them. */
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
      for (;;) {
        signal.throwIfAborted();
        const deleted = await inTransaction(pool, async (client) => {
          // Also waits for the sequencer, which must not number a deleted entry.
          await client.query('select from feed_state for update');
          const { rows } = await client.query<{ deleted: number }>(DELETE_OLD, [days, erasureDays]);
          return rows[0]?.deleted ?? 0;
        });
        if (deleted < AT_ONCE) return;
      }
    },
  };
}

const DELETE_OLD = `
with old as (
  delete from change c
   using (select user_key, is_data, number from change
           where at < now() - make_interval(days => $1) and ordinal is not null
             and (not ${IS_TOMBSTONE} or at < now() - make_interval(days => greatest($1, $2)))
           order by at, user_key, is_data, number limit ${AT_ONCE}) oldest
   where c.user_key = oldest.user_key and c.is_data = oldest.is_data and c.number = oldest.number
  returning c.ordinal
), noted as (
  update feed_state
     set deleted_ordinal = greatest(deleted_ordinal, (select max(ordinal) from old))
   where exists (select from old)
)
select count(*)::int4 as deleted from old`;
