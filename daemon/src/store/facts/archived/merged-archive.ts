import { dayNumber, fromDayNumber } from '@healthd/model';
import type pg from 'pg';

/** The amount that one source's removed samples contributed to a day's total over its account's sources. */
export interface ArchivedAmount {
  typeId: number;
  sourceId: number;
  day: number;
  amount: number;
}

/** Loads the amounts from `firstDay` to `lastDay`. */
export async function loadArchivedAmounts(
  client: pg.ClientBase,
  userKey: number,
  range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
): Promise<ArchivedAmount[]> {
  const { rows } = await client.query<Omit<ArchivedAmount, 'day'> & { date: string }>({
    name: 'records-load-merged-archive',
    text: `select type_id as "typeId", source_id as "sourceId", local_date as date, amount from merged_archive
            where user_key = $1 and type_id = any ($2::int2[]) and local_date between $3::date and $4::date
            order by type_id, local_date, source_id`,
    values: [userKey, range.typeIds, fromDayNumber(range.firstDay), fromDayNumber(range.lastDay)],
  });
  return rows.map(({ date, ...row }) => ({ ...row, day: dayNumber(date) as number }));
}

/** Loads the last local day of the series to which removed samples contributed, and their sources. */
export async function lastArchivedDay(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
): Promise<{ day: number; sourceIds: number[] } | undefined> {
  const { rows } = await client.query<{ date: string; source_id: number }>({
    name: 'records-last-archived-day',
    text: `select local_date as date, source_id from merged_archive
            where user_key = $1 and type_id = $2
              and local_date = (select max(local_date) from merged_archive where user_key = $1 and type_id = $2)`,
    values: [userKey, typeId],
  });
  const [first] = rows;
  return first && { day: dayNumber(first.date) as number, sourceIds: rows.map(({ source_id }) => source_id) };
}

/** Adds to the stored amounts. */
export async function addArchivedAmounts(
  client: pg.ClientBase,
  userKey: number,
  amounts: readonly ArchivedAmount[],
): Promise<void> {
  if (amounts.length === 0) return;
  await client.query({
    name: 'records-add-merged-archive',
    text: `insert into merged_archive as stored (user_key, type_id, source_id, local_date, amount)
           select $1, * from unnest($2::int2[], $3::int4[], $4::date[], $5::float8[])
           on conflict (user_key, type_id, local_date, source_id) do update
              set amount = stored.amount + excluded.amount`,
    values: [
      userKey,
      amounts.map(({ typeId }) => typeId),
      amounts.map(({ sourceId }) => sourceId),
      amounts.map(({ day }) => fromDayNumber(day)),
      amounts.map(({ amount }) => amount),
    ],
  });
}
