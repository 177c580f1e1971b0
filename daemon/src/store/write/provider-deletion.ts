import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';

/** Tables whose rows belong to one source. A roll-up stands for one source too, so none of another provider changes. */
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
  'sleep_session',
  'workout',
  'menstrual_cycle',
  'health_score',
  'pushed_sample',
] as const;

/** Tables whose rows are made of all sources of one provider. */
const BY_PROVIDER = ['day_merged', 'data_source'] as const;

/** Tables with readings of one source in the night of another one. */
const BY_NIGHT = ['night_value', 'night_archive'] as const;

/** Tables without a source. They go with the last provider: until then what remains may rest on them. */
const OF_USER = ['offset_day', 'user_archive', 'personal_record'] as const;

/**
 * Deletes everything that came from one provider, in the caller's transaction.
 * @returns whether there was anything
 * @throws UserMissingError
 */
export async function deleteProviderIn(client: pg.ClientBase, userKey: number, provider: string): Promise<boolean> {
  await lockUser(client, userKey);
  const { rows } = await client.query<{ source_id: number }>(
    'select source_id from data_source where user_key = $1 and provider = $2',
    [userKey, provider],
  );
  if (rows.length === 0) return false;
  const sourceIds = rows.map(({ source_id: sourceId }) => sourceId);
  for (const table of BY_SOURCE) {
    await client.query(`delete from ${table} where user_key = $1 and source_id = any ($2::int[])`, [
      userKey,
      sourceIds,
    ]);
  }
  for (const table of BY_NIGHT) {
    await client.query(`delete from ${table} where user_key = $1 and night_source_id = any ($2::int[])`, [
      userKey,
      sourceIds,
    ]);
  }
  for (const table of BY_PROVIDER) {
    await client.query(`delete from ${table} where user_key = $1 and provider = $2`, [userKey, provider]);
  }
  const left = await client.query('select 1 from data_source where user_key = $1 limit 1', [userKey]);
  if (left.rowCount === 0) {
    for (const table of OF_USER) await client.query(`delete from ${table} where user_key = $1`, [userKey]);
  }
  return true;
}
