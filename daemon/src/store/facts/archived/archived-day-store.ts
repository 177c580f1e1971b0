import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { BatchColumns } from '../../../platform/database/index.js';
import type { ArchivedDay } from './archived-day.js';

/** Stores totals of removed samples. Replaces stored totals of the same days. */
export async function storeArchivedDays(
  client: pg.ClientBase,
  userKey: number,
  days: readonly ArchivedDay[],
): Promise<void> {
  if (days.length === 0) return;
  await client.query({ name: 'records-store-archived-days', text: UPSERT, values: [userKey, ...COLUMNS.values(days)] });
}

const array = (numbers: readonly number[] | undefined) => numbers && `{${numbers.join()}}`;
const bits = (name: string) => ({ name, type: 'text', sql: `${name}::bit(1440)` });

const COLUMNS = new BatchColumns<ArchivedDay>([
  { name: 'local_date', type: 'date', value: ({ day }) => fromDayNumber(day) },
  { name: 'sample_sum', type: 'float8', value: ({ sampleSum }) => sampleSum },
  { name: 'sample_min', type: 'float8', value: ({ sampleMin }) => sampleMin },
  { name: 'sample_max', type: 'float8', value: ({ sampleMax }) => sampleMax },
  { name: 'last_value', type: 'float8', value: ({ lastValue }) => lastValue },
  { name: 'last_at', type: 'float8', sql: 'to_timestamp(last_at / 1000)', value: ({ lastMs }) => lastMs },
  { name: 'source_id', type: 'int', value: ({ sourceId }) => sourceId },
  { name: 'sample_count', type: 'int', value: ({ sampleCount }) => sampleCount },
  { name: 'type_id', type: 'smallint', value: ({ typeId }) => typeId },
  { ...bits('minutes'), value: ({ minutes }) => minutes },
  {
    name: 'heart_rate_bins',
    type: 'text',
    sql: 'heart_rate_bins::smallint[]',
    value: ({ heartRate }) => array(heartRate?.bins),
  },
  {
    name: 'heart_rate_seconds',
    type: 'text',
    sql: 'heart_rate_seconds::float8[]',
    value: ({ heartRate }) => array(heartRate?.seconds),
  },
  { ...bits('heart_rate_minutes'), value: ({ heartRate }) => heartRate?.minutes },
  { ...bits('active_minutes'), value: ({ activeMinutes }) => activeMinutes },
]);

const UPSERT = `
insert into day_archive (user_key, ${COLUMNS.names})
select $1, ${COLUMNS.selected} from ${COLUMNS.unnested(2)}
on conflict (user_key, type_id, local_date, source_id) do update
   set ${COLUMNS.assigned(['type_id', 'local_date', 'source_id'])}`;
