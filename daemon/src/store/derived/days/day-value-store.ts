import { fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { BatchColumns } from '../../../platform/database/index.js';
import type { DayValue } from './day-value.js';

/** Writes day values. Does not touch unchanged rows. */
export async function storeDayValues(client: pg.ClientBase, userKey: number, values: DayValue[]): Promise<void> {
  if (values.length === 0) return;
  const ordered = [...values].sort((a, b) => a.typeId - b.typeId || a.day - b.day || a.sourceId - b.sourceId);
  await client.query({
    name: 'records-store-day-values',
    text: UPSERT,
    values: [userKey, ...COLUMNS.values(ordered)],
  });
}

/** Removes the roll-ups of days without remaining samples. */
export async function deleteDayValues(
  client: pg.ClientBase,
  userKey: number,
  emptyDays: { typeId: number; sourceId: number; day: number }[],
): Promise<void> {
  if (emptyDays.length === 0) return;
  await client.query(
    `delete from day_value d using unnest($2::smallint[], $3::date[], $4::int[]) as gone (type_id, local_date, source_id)
      where d.user_key = $1 and d.type_id = gone.type_id and d.local_date = gone.local_date
        and d.source_id = gone.source_id`,
    [
      userKey,
      emptyDays.map(({ typeId }) => typeId),
      emptyDays.map(({ day }) => fromDayNumber(day)),
      emptyDays.map(({ sourceId }) => sourceId),
    ],
  );
}

const KEY = ['type_id', 'local_date', 'source_id'];

const COLUMNS = new BatchColumns<DayValue>([
  { name: 'local_date', type: 'date', value: ({ day }) => fromDayNumber(day) },
  { name: 'sample_sum', type: 'float8', value: ({ sampleSum }) => sampleSum },
  { name: 'sample_min', type: 'float8', value: ({ sampleMin }) => sampleMin },
  { name: 'sample_max', type: 'float8', value: ({ sampleMax }) => sampleMax },
  { name: 'last_value', type: 'float8', value: ({ lastValue }) => lastValue },
  { name: 'last_at', type: 'float8', sql: 'to_timestamp(last_at / 1000)', value: ({ lastMs }) => lastMs },
  { name: 'total_sum', type: 'float8', value: ({ totalSum }) => totalSum },
  { name: 'aggregate_sum', type: 'float8', value: ({ aggregateSum }) => aggregateSum },
  { name: 'source_id', type: 'int', value: ({ sourceId }) => sourceId },
  { name: 'sample_count', type: 'int', value: ({ sampleCount }) => sampleCount },
  { name: 'total_count', type: 'int', value: ({ totalCount }) => totalCount },
  { name: 'aggregate_count', type: 'int', value: ({ aggregateCount }) => aggregateCount },
  { name: 'covered_minutes', type: 'smallint', value: ({ coveredMinutes }) => coveredMinutes },
  { name: 'type_id', type: 'smallint', value: ({ typeId }) => typeId },
]);

const UPSERT = `
insert into day_value as stored (user_key, ${COLUMNS.names})
select $1, ${COLUMNS.selected} from ${COLUMNS.unnested(2)}
on conflict (user_key, type_id, local_date, source_id) do update
   set ${COLUMNS.assigned(KEY)}
 where ${COLUMNS.differs(KEY)}`;
