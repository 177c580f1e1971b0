import { dayNumber, fromDayNumber, MAX_OFFSET_MS, MinuteBitmap, MS_PER_DAY, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import type { QueryPart } from '../../../platform/database/index.js';
import type { SampleRows } from '../samples/sample-rows.js';
import type { WriteContext } from '../write-context.js';
import { MinuteSet } from './minute-set.js';

/** Covered minutes of one series between two instants, of any source. */
export interface MinuteRange {
  typeId: number;
  fromMs: number;
  toMs: number;
}

/** The first local day of which nothing was archived; undefined for users of whom nothing ever was. */
export const ARCHIVED_BEFORE: QueryPart<{ date: string }, number | undefined> = {
  sql: 'select archived_before as date from user_archive where user_key = $1',
  read: ([row]) => row && dayNumber(row.date),
};

/** {@link ARCHIVED_BEFORE} alone. */
export async function loadArchivedBefore(client: pg.ClientBase, userKey: number): Promise<number | undefined> {
  const { rows } = await client.query<{ date: string }>({
    name: 'records-archived-before',
    text: ARCHIVED_BEFORE.sql,
    values: [userKey],
  });
  return ARCHIVED_BEFORE.read(rows);
}

/** The rows among `positions` that count as archived already: they start in a minute that a removed sample covers. */
export async function archivedAmong(
  { client, userKey, archivedBefore }: WriteContext,
  rows: SampleRows,
  positions: Uint32Array,
): Promise<ReadonlySet<number>> {
  if (archivedBefore === undefined) return new Set();
  const untilMs = archivedBefore * MS_PER_DAY + MAX_OFFSET_MS;
  const old = positions.filter(
    (row) => rows.kind[row] === SAMPLE_KIND_CODE.sample && (rows.startMs[row] as number) < untilMs,
  );
  const ranges = new Map<number, MinuteRange>();
  for (const row of old) {
    const typeId = rows.typeId[row] as number;
    const ms = rows.startMs[row] as number;
    const range = ranges.get(typeId);
    if (!range) ranges.set(typeId, { typeId, fromMs: ms, toMs: ms });
    else {
      range.fromMs = Math.min(range.fromMs, ms);
      range.toMs = Math.max(range.toMs, ms);
    }
  }
  const covered = await loadArchivedMinutes(client, userKey, [...ranges.values()]);
  return new Set(
    old.filter((row) =>
      covered.has(rows.typeId[row] as number, rows.sourceId[row] as number, rows.startMs[row] as number),
    ),
  );
}

/** Whole UTC days of the ranges. */
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

/** Adds minutes to those stored. */
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

/** Writes days over those stored. */
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
