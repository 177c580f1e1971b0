import { ONE_LOOK_EACH } from '../../../platform/database/index.js';
import { SAMPLE_EXTREMES, SAMPLE_START } from './sample-batch-columns.js';

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

/** Extremes of samples that start at the passed instants. */
export const FIND_EXTREMES = `
select distinct e.type_id as "typeId", e.source_id as "sourceId", e.slot,
       extract(epoch from e.start_at)::float8 * 1000 as "startMs", e.minimum, e.maximum
  from ${SAMPLE_START.unnested(2)}
 cross join lateral (
   select * from sample_extremes x where x.user_key = $1 and ${SAMPLE_START.matched('x')} ${ONE_LOOK_EACH}) e`;

export const STORE_EXTREMES = `
insert into sample_extremes (user_key, ${SAMPLE_EXTREMES.names})
select $1, ${SAMPLE_EXTREMES.selected} from ${SAMPLE_EXTREMES.unnested(2)}
on conflict (user_key, type_id, start_at, source_id, slot) do update
   set minimum = excluded.minimum, maximum = excluded.maximum`;
