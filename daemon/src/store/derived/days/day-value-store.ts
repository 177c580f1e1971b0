import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { arrayLiteral } from '../../../platform/database/index.js';
import type { DayValue } from './day-value.js';

/** Writes day values; rows that did not change are left alone. */
export async function storeDayValues(client: pg.ClientBase, userKey: number, values: DayValue[]): Promise<void> {
  if (values.length === 0) return;
  const ordered = [...values].sort((a, b) => a.typeId - b.typeId || a.day - b.day || a.sourceId - b.sourceId);
  const column = (pick: (value: DayValue) => number | string | undefined) => arrayLiteral(ordered.map(pick));
  await client.query({
    name: 'records-store-day-values',
    text: UPSERT,
    values: [
      userKey,
      column(({ day }) => fromDayNumber(day)),
      column(({ sampleSum }) => sampleSum),
      column(({ sampleMin }) => sampleMin),
      column(({ sampleMax }) => sampleMax),
      column(({ lastValue }) => lastValue),
      column(({ lastMs }) => lastMs),
      column(({ totalSum }) => totalSum),
      column(({ aggregateSum }) => aggregateSum),
      column(({ sourceId }) => sourceId),
      column(({ sampleCount }) => sampleCount),
      column(({ totalCount }) => totalCount),
      column(({ aggregateCount }) => aggregateCount),
      column(({ coveredMinutes }) => coveredMinutes),
      column(({ typeId }) => typeId),
    ],
  });
}

/** Removes the roll-up of days of which no sample is left. */
export async function deleteDayValues(
  client: pg.ClientBase,
  userKey: number,
  gone: { typeId: number; sourceId: number; day: number }[],
): Promise<void> {
  if (gone.length === 0) return;
  await client.query(
    `delete from day_value d using unnest($2::smallint[], $3::date[], $4::int[]) as gone (type_id, local_date, source_id)
      where d.user_key = $1 and d.type_id = gone.type_id and d.local_date = gone.local_date
        and d.source_id = gone.source_id`,
    [
      userKey,
      gone.map(({ typeId }) => typeId),
      gone.map(({ day }) => fromDayNumber(day)),
      gone.map(({ sourceId }) => sourceId),
    ],
  );
}

const UPSERT = `
insert into day_value as stored (user_key, local_date, sample_sum, sample_min, sample_max, last_value, last_at, total_sum,
                                 aggregate_sum, source_id, sample_count, total_count, aggregate_count, covered_minutes,
                                 type_id)
select $1, local_date, sample_sum, sample_min, sample_max, last_value, to_timestamp(last_ms / 1000), total_sum,
       aggregate_sum, source_id, sample_count, total_count, aggregate_count, covered_minutes, type_id
  from unnest($2::date[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::float8[],
              $9::float8[], $10::int[], $11::int[], $12::int[], $13::int[], $14::smallint[], $15::smallint[])
       as fresh (local_date, sample_sum, sample_min, sample_max, last_value, last_ms, total_sum, aggregate_sum, source_id,
                 sample_count, total_count, aggregate_count, covered_minutes, type_id)
on conflict (user_key, type_id, local_date, source_id) do update
   set sample_sum = excluded.sample_sum, sample_min = excluded.sample_min, sample_max = excluded.sample_max,
       last_value = excluded.last_value, last_at = excluded.last_at, total_sum = excluded.total_sum,
       aggregate_sum = excluded.aggregate_sum, sample_count = excluded.sample_count, total_count = excluded.total_count,
       aggregate_count = excluded.aggregate_count, covered_minutes = excluded.covered_minutes
 where (stored.sample_sum, stored.sample_min, stored.sample_max, stored.last_value, stored.last_at, stored.total_sum,
        stored.aggregate_sum, stored.sample_count, stored.total_count, stored.aggregate_count, stored.covered_minutes)
    is distinct from
       (excluded.sample_sum, excluded.sample_min, excluded.sample_max, excluded.last_value, excluded.last_at,
        excluded.total_sum, excluded.aggregate_sum, excluded.sample_count, excluded.total_count,
        excluded.aggregate_count, excluded.covered_minutes)`;
