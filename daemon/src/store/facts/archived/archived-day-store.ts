import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import type { ArchivedDay } from './archived-day.js';

/** Writes what is kept of removed samples, over what was kept of the same days. */
export async function storeArchivedDays(
  client: pg.ClientBase,
  userKey: number,
  days: readonly ArchivedDay[],
): Promise<void> {
  if (days.length === 0) return;
  const array = (numbers: readonly number[] | undefined) => (numbers ? `{${numbers.join()}}` : null);
  await client.query({
    name: 'records-store-archived-days',
    text: UPSERT,
    values: [
      userKey,
      days.map(({ day }) => fromDayNumber(day)),
      days.map(({ sampleSum }) => sampleSum),
      days.map(({ sampleMin }) => sampleMin),
      days.map(({ sampleMax }) => sampleMax),
      days.map(({ lastValue }) => lastValue),
      days.map(({ lastMs }) => lastMs),
      days.map(({ sourceId }) => sourceId),
      days.map(({ sampleCount }) => sampleCount),
      days.map(({ typeId }) => typeId),
      days.map(({ minutes }) => minutes),
      days.map(({ heartRate }) => array(heartRate?.bins)),
      days.map(({ heartRate }) => array(heartRate?.seconds)),
      days.map(({ heartRate }) => heartRate?.minutes ?? null),
      days.map(({ activeMinutes }) => activeMinutes ?? null),
    ],
  });
}

const UPSERT = `
insert into day_archive (user_key, local_date, sample_sum, sample_min, sample_max, last_value, last_at, source_id,
                         sample_count, type_id, minutes, heart_rate_bins, heart_rate_seconds, heart_rate_minutes,
                         active_minutes)
select $1, local_date, sample_sum, sample_min, sample_max, last_value, to_timestamp(last_ms / 1000), source_id,
       sample_count, type_id, minutes::bit(1440), bins::smallint[], seconds::float8[], heart_rate_minutes::bit(1440),
       active_minutes::bit(1440)
  from unnest($2::date[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::int4[], $9::int4[],
              $10::int2[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       as fresh (local_date, sample_sum, sample_min, sample_max, last_value, last_ms, source_id, sample_count, type_id,
                 minutes, bins, seconds, heart_rate_minutes, active_minutes)
on conflict (user_key, type_id, local_date, source_id) do update
   set sample_sum = excluded.sample_sum, sample_min = excluded.sample_min, sample_max = excluded.sample_max,
       last_value = excluded.last_value, last_at = excluded.last_at, sample_count = excluded.sample_count,
       minutes = excluded.minutes, heart_rate_bins = excluded.heart_rate_bins,
       heart_rate_seconds = excluded.heart_rate_seconds, heart_rate_minutes = excluded.heart_rate_minutes,
       active_minutes = excluded.active_minutes`;
