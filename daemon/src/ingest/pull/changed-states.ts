import type { ProviderId, SampleRecord } from '@healthd/model';
import type pg from 'pg';

/** Difference below which two vendor values are equal after rounding. */
const SAME_WITHIN = 0.01;

/**
 * Selects the states (values without a vendor time) that differ from the newest stored value of their series, provider
 * and account. A weight that is polled every hour is not an hourly measurement. Reads by primary key, one lookup per
 * value.
 */
export async function changedStates(
  client: pg.ClientBase,
  { userKey, provider, account }: { userKey: number; provider: ProviderId; account: string },
  states: readonly SampleRecord[],
): Promise<SampleRecord[]> {
  const { rows } = await client.query<{ type_id: number; value: number }>(
    `select wanted.type_id, newest.value from unnest($3::smallint[]) as wanted (type_id)
       cross join lateral (
         select m.value from sample m
           join data_source d on d.user_key = m.user_key and d.source_id = m.source_id and d.provider = $2
                              and coalesce(d.account, $4) = $4
          where m.user_key = $1 and m.type_id = wanted.type_id
          order by m.start_at desc, m.slot desc limit 1
       ) newest`,
    [userKey, provider, states.map(({ typeId }) => typeId), account],
  );
  const newest = new Map(rows.map(({ type_id, value }) => [type_id, value]));
  return states.filter(({ typeId, value }) => {
    const stored = newest.get(typeId);
    return stored === undefined || Math.abs(value - stored) > SAME_WITHIN;
  });
}
