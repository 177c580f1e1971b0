import { dayNumber } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { CHANGE, type Change } from '../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns, changesOf, type ItemTable } from '../facts/changes.js';

/**
 * Tables whose rows belong to one source. Roll-ups also belong to one source, so deleting them changes no other
 * provider.
 */
const BY_SOURCE = [
  'sample',
  'sample_extremes',
  'day_value',
  'day_minutes',
  'day_archive',
  'archived_minute',
  'night_value',
  'night_archive',
  'night_source',
  'merged_archive',
  'sleep_stage',
  'pushed_sample',
  'pushed_range',
] as const;

/** Tables of items, which also belong to one source. */
const ITEM_TABLES = ['sleep_session', 'workout', 'menstrual_cycle', 'health_score'] as const satisfies ItemTable[];

/** Tables whose rows can contain one source's readings in another source's night. */
const BY_NIGHT = ['night_value', 'night_archive'] as const;

/**
 * Tables without a source. Their rows are deleted with the last provider's data, because other providers' data may
 * depend on them.
 */
const OF_USER = ['offset_day', 'user_archive', 'personal_record'] as const;

/** Number of deleted rows: samples (including archived samples), nights, workouts, cycles and scores. */
export interface DeletedRows {
  samples: number;
  sessions: number;
}

/**
 * Deletes all data of one provider, in the caller's transaction.
 * @param cloudOnly true to delete only the cloud's data and keep pushes and files
 * @returns undefined if no data was stored
 * @throws UserMissingError
 */
export async function deleteProviderIn(
  client: pg.ClientBase,
  userKey: number,
  provider: string,
  { cloudOnly = false } = {},
): Promise<DeletedRows | undefined> {
  await lockUser(client, userKey);
  const { rows } = await client.query<{ source_id: number }>(
    'select source_id from data_source where user_key = $1 and provider = $2 and (from_cloud or not $3)',
    [userKey, provider, cloudOnly],
  );
  if (rows.length === 0) return undefined;
  const sourceIds = rows.map(({ source_id: sourceId }) => sourceId);
  const { rows: archived } = await client.query<{ samples: number }>(
    `select coalesce(sum(sample_count), 0)::int8 as samples from day_archive
      where user_key = $1 and source_id = any ($2::int[])`,
    [userKey, sourceIds],
  );
  const deleted: DeletedRows = { samples: archived[0]?.samples ?? 0, sessions: 0 };
  const change = cloudOnly ? CHANGE.deletedByTerms : CHANGE.deletedByPerson;
  await addDays(client, userKey, sourceIds, change);
  for (const table of BY_SOURCE) {
    const { rowCount } = await client.query(
      `delete from ${table} where user_key = $1 and source_id = any ($2::int[])`,
      [userKey, sourceIds],
    );
    if (table === 'sample') deleted.samples += rowCount ?? 0;
  }
  for (const table of ITEM_TABLES) {
    const { rows } = await client.query<ChangedRow>(
      `delete from ${table} s where s.user_key = $1 and s.source_id = any ($2::int[]) returning ${changedColumns(table)}`,
      [userKey, sourceIds],
    );
    addChangedRows(client, userKey, table, change, rows);
    deleted.sessions += rows.length;
  }
  for (const table of BY_NIGHT) {
    await client.query(`delete from ${table} where user_key = $1 and night_source_id = any ($2::int[])`, [
      userKey,
      sourceIds,
    ]);
  }
  await client.query('delete from day_merged where user_key = $1 and provider = $2', [userKey, provider]);
  await client.query('delete from data_source where user_key = $1 and source_id = any ($2::int[])', [
    userKey,
    sourceIds,
  ]);
  const left = await client.query('select 1 from data_source where user_key = $1 limit 1', [userKey]);
  if (left.rowCount === 0) {
    for (const table of OF_USER) await client.query(`delete from ${table} where user_key = $1`, [userKey]);
  }
  return deleted;
}

/** Records the days of all series of the sources. Every sample has a roll-up. */
async function addDays(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
  change: Change,
): Promise<void> {
  const { rows } = await client.query<{ type_id: number; date: string }>(
    `select distinct type_id, local_date as date from day_value where user_key = $1 and source_id = any ($2::int[])`,
    [userKey, sourceIds],
  );
  const changes = changesOf(client, userKey);
  for (const { type_id: typeId, date } of rows) changes.addSamples(typeId, dayNumber(date) as number, change);
}
