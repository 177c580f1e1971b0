import { dayNumber, MS_PER_DAY, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import { type ArchivedDay, ArchivedDays } from '../../facts/archived/archived-day.js';
import { storeArchivedDays } from '../../facts/archived/archived-day-store.js';
import { loadArchivedMinutes } from '../../facts/archived/minute-store.js';
import { CHANGE } from '../../facts/change.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import { readSamples } from '../../facts/samples/sample-reader.js';
import { localDayOf, rowsWhere, type SampleRows, takeRows } from '../../facts/samples/sample-rows.js';
import type { WriteContext } from '../../facts/write-context.js';
import { loadContext } from '../load-context.js';
import { refreshRollUps } from '../roll-up-invalidations.js';
import { deleteRows } from './delete-rows.js';
import { joinDay } from './join-day.js';
import type { SourcePair } from './pair.js';

/**
 * Moves the totals of one series' archived samples from the bundled source to the named source. The named source's
 * samples in the bundled source's archived minutes count as archived, like late samples.
 * @returns the bundled source's stored samples in archived minutes, which still count; undefined if there are no totals
 */
export async function joinArchivedDays(
  client: pg.ClientBase,
  userKey: number,
  { namedId, bundledId }: SourcePair,
  typeId: number,
  gapMinutes: number,
): Promise<{ stayed: SampleRows; context: WriteContext } | undefined> {
  const span = await archivedSpan(client, userKey, bundledId, typeId);
  if (!span) return undefined;
  // Adds a day on both sides, because UTC and local dates differ by up to a day.
  const range = { typeId, fromMs: (span.firstDay - 1) * MS_PER_DAY, toMs: (span.lastDay + 2) * MS_PER_DAY };
  const dirtyDays = new DirtyDays();
  const context = await loadContext(client, userKey, gapMinutes, range);
  const minutes = await loadArchivedMinutes(client, userKey, [range]);
  const live = await readSamples(client, userKey, [
    { ...range, sourceIds: [namedId, bundledId], kindCode: SAMPLE_KIND_CODE.sample },
  ]);
  const isIn = (row: number, sourceId: number) => minutes.has(typeId, sourceId, live.startMs[row] as number);
  const late = rowsWhere(
    live.length,
    (row) => live.sourceId[row] === namedId && isIn(row, bundledId) && !isIn(row, namedId),
  );
  await deleteRows(client, userKey, takeRows(live, late));
  for (const row of late) {
    dirtyDays.add(typeId, namedId, localDayOf(live, row, context.timeline), CHANGE.archived);
  }

  const query = { typeIds: [typeId], firstDay: span.firstDay, lastDay: span.lastDay };
  const days = (await ArchivedDays.load(client, userKey, query)).all();
  const bundled = days.filter(({ sourceId }) => sourceId === bundledId);
  const named = new Map(days.filter(({ sourceId }) => sourceId === namedId).map((day) => [day.day, day]));
  const joined = bundled.map((day): ArchivedDay => ({ ...joinDay(named.get(day.day), day), sourceId: namedId }));
  await storeArchivedDays(client, userKey, joined);
  for (const { day } of bundled) {
    for (const id of [namedId, bundledId]) dirtyDays.add(typeId, id, day, CHANGE.corrected);
  }
  await client.query('delete from day_archive where user_key = $1 and type_id = $2 and source_id = $3', [
    userKey,
    typeId,
    bundledId,
  ]);
  for (const move of [MOVE_MINUTES, MOVE_AMOUNTS]) await client.query(move, [userKey, typeId, namedId, bundledId]);
  await refreshRollUps(context, [{ dirtyDays, nights: new Set() }]);
  const isStaying = (row: number) => live.sourceId[row] === bundledId && isIn(row, bundledId);
  return { stayed: takeRows(live, rowsWhere(live.length, isStaying)), context };
}

/** Returns the first and last day with archived data of the source. */
async function archivedSpan(
  client: pg.ClientBase,
  userKey: number,
  sourceId: number,
  typeId: number,
): Promise<{ firstDay: number; lastDay: number } | undefined> {
  const dates = [
    ['archived_minute', 'utc_date'],
    ['day_archive', 'local_date'],
    ['merged_archive', 'local_date'],
  ].map(
    ([table, date]) => `select ${date} as date from ${table} where user_key = $1 and type_id = $2 and source_id = $3`,
  );
  const { rows } = await client.query<{ first: string | null; last: string }>(
    `select min(date) as first, max(date) as last from (${dates.join(' union all ')}) kept`,
    [userKey, typeId, sourceId],
  );
  const found = rows[0];
  if (!found?.first) return undefined;
  return { firstDay: dayNumber(found.first) as number, lastDay: dayNumber(found.last) as number };
}

const MOVE_MINUTES = `
with bundled as (
  delete from archived_minute where user_key = $1 and type_id = $2 and source_id = $4 returning *
)
insert into archived_minute as stored (user_key, type_id, source_id, utc_date, minutes)
select user_key, type_id, $3, utc_date, minutes from bundled
on conflict (user_key, type_id, utc_date, source_id) do update set minutes = stored.minutes | excluded.minutes`;

/** Adds the amounts, because each instant was counted for only one of the two sources. */
const MOVE_AMOUNTS = `
with bundled as (
  delete from merged_archive where user_key = $1 and type_id = $2 and source_id = $4 returning *
)
insert into merged_archive as stored (user_key, type_id, source_id, local_date, amount)
select user_key, type_id, $3, local_date, amount from bundled
on conflict (user_key, type_id, local_date, source_id) do update set amount = stored.amount + excluded.amount`;
