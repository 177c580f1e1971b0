import { dayNumber, fromDayNumber, MinuteBitmap, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { QueryPart } from '../../../platform/database/index.js';
import { MinuteSet } from './minute-set.js';

/** A span of one series' covered minutes, of all sources. */
export interface MinuteRange {
  typeId: number;
  fromMs: number;
  toMs: number;
}

/** The first local day without archived data; undefined for users without archived data. */
export const ARCHIVED_BEFORE: QueryPart<{ date: string }, number | undefined> = {
  sql: 'select archived_before as date from user_archive where user_key = $1',
  read: ([row]) => row && dayNumber(row.date),
};

/** Loads {@link ARCHIVED_BEFORE}. */
export async function loadArchivedBefore(client: pg.ClientBase, userKey: number): Promise<number | undefined> {
  const { rows } = await client.query<{ date: string }>({
    name: 'records-archived-before',
    text: ARCHIVED_BEFORE.sql,
    values: [userKey],
  });
  return ARCHIVED_BEFORE.read(rows);
}

/** Loads the covered minutes of the ranges' whole UTC days. */
export async function loadArchivedMinutes(
  client: pg.ClientBase,
  userKey: number,
  ranges: readonly MinuteRange[],
): Promise<MinuteSet> {
  const minutes = new MinuteSet();
  if (ranges.length === 0) return minutes;
  const { rows } = await client.query<{ type_id: number; source_id: number; date: string; bits: Buffer }>({
    name: 'records-load-archived-minutes',
    text: `select m.type_id, m.source_id, m.utc_date as date, bit_send(m.minutes) as bits
             from unnest($2::int2[], $3::date[], $4::date[]) as r (type_id, first, last)
             join archived_minute m on m.user_key = $1 and m.type_id = r.type_id and m.utc_date between r.first and r.last`,
    values: [
      userKey,
      ranges.map(({ typeId }) => typeId),
      ranges.map(({ fromMs }) => fromDayNumber(Math.floor(fromMs / MS_PER_DAY))),
      ranges.map(({ toMs }) => fromDayNumber(Math.floor(toMs / MS_PER_DAY))),
    ],
  });
  for (const { type_id: typeId, source_id: sourceId, date, bits } of rows) {
    minutes.put({
      typeId,
      sourceId,
      day: dayNumber(date) as number,
      minutes: MinuteBitmap.sent(bits),
    });
  }
  return minutes;
}

/** Adds minutes to the stored minutes. */
export async function storeArchivedMinutes(client: pg.ClientBase, userKey: number, minutes: MinuteSet): Promise<void> {
  await write(
    client,
    userKey,
    minutes,
    'records-store-archived-minutes',
    `insert into archived_minute as stored (user_key, type_id, source_id, utc_date, minutes)
     select $1, type_id, source_id, utc_date, minutes::bit(1440)
       from unnest($2::int2[], $3::int4[], $4::date[], $5::text[]) as fresh (type_id, source_id, utc_date, minutes)
     on conflict (user_key, type_id, utc_date, source_id) do update set minutes = stored.minutes | excluded.minutes`,
  );
}

/** Replaces stored days. */
export async function replaceArchivedMinutes(
  client: pg.ClientBase,
  userKey: number,
  minutes: MinuteSet,
): Promise<void> {
  await write(
    client,
    userKey,
    minutes,
    'records-replace-archived-minutes',
    `update archived_minute m set minutes = fresh.minutes::bit(1440)
       from unnest($2::int2[], $3::int4[], $4::date[], $5::text[]) as fresh (type_id, source_id, utc_date, minutes)
      where m.user_key = $1 and m.type_id = fresh.type_id and m.source_id = fresh.source_id
        and m.utc_date = fresh.utc_date`,
  );
}

async function write(
  client: pg.ClientBase,
  userKey: number,
  minutes: MinuteSet,
  name: string,
  text: string,
): Promise<void> {
  const days = minutes.entries();
  if (days.length === 0) return;
  await client.query({
    name,
    text,
    values: [
      userKey,
      days.map(({ typeId }) => typeId),
      days.map(({ sourceId }) => sourceId),
      days.map(({ day }) => fromDayNumber(day)),
      days.map(({ minutes: covered }) => covered.toText()),
    ],
  });
}
