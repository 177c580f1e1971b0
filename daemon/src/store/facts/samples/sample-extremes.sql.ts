import { ONE_LOOK_EACH, sampleKind } from '../../../platform/database/index.js';
import { SAMPLE_EXTREMES, SAMPLE_START, SAMPLE_VALUE } from './sample-batch-columns.js';

const IN_RANGE = `e.user_key = $1 and e.type_id = any ($2::int2[])
  and e.start_at >= to_timestamp($3::float8 / 1000) and e.start_at < to_timestamp($4::float8 / 1000)`;
const OWN_SAMPLE = `s.user_key = $1 and s.type_id = e.type_id and s.start_at = e.start_at and s.source_id = e.source_id
  and s.slot = e.slot`;

/** Extremes of series in a range. */
export const LOAD_EXTREMES = `
select e.type_id as "typeId", e.source_id as "sourceId", e.slot, extract(epoch from e.start_at)::float8 * 1000 as "startMs",
       e.minimum, e.maximum
  from sample_extremes e
 where ${IN_RANGE}`;

/** Deletes extremes in a range that have no sample. */
export const REMOVE_EXTREMES = `
delete from sample_extremes e where ${IN_RANGE} and not exists (select from sample s where ${OWN_SAMPLE} ${ONE_LOOK_EACH})`;

/** Stores extremes of samples that are there; gives back which of them are new. */
export const STORE_EXTREMES = `
with fresh as (
  select * from ${SAMPLE_EXTREMES.unnested(2)}
), written as (
  insert into sample_extremes as stored (user_key, type_id, start_at, source_id, slot, minimum, maximum)
  select distinct on (s.type_id, s.start_at, s.source_id, s.slot)
         $1, s.type_id, s.start_at, s.source_id, s.slot, fresh.minimum, fresh.maximum
    from fresh
    join sample s on s.user_key = $1 and ${SAMPLE_VALUE.matched('s')} and ${sampleKind('s.')} = fresh.kind
   order by s.type_id, s.start_at, s.source_id, s.slot, fresh.at desc
  on conflict (user_key, type_id, start_at, source_id, slot) do update
     set minimum = excluded.minimum, maximum = excluded.maximum
   where (stored.minimum, stored.maximum) is distinct from (excluded.minimum, excluded.maximum)
  returning type_id, start_at, source_id
)
select fresh.at from fresh join written on ${SAMPLE_START.matched('written')}`;
