import { ARCHIVED_TYPE_IDS, MS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { InstantBounds } from '../bounds.js';

/** Maximum delay between the start of a UTC day and of the same local day. */
const FURTHEST_BEHIND_MS = 12 * MS_PER_HOUR;

const archivedBeforeOf = statement(
  'reading-archived-before',
  `select archived_before::text as date from user_archive where user_key = $1`,
);

/**
 * Returns the local day before which samples were archived, if the range includes such days and any of its series is
 * archived. Responses contain it, because archived samples are not missing data.
 */
export async function archivedDays(
  pool: pg.Pool,
  userKey: number,
  typeIds: readonly number[],
  { fromMs }: InstantBounds,
): Promise<string | undefined> {
  if (!typeIds.some((typeId) => ARCHIVED_TYPE_IDS.includes(typeId))) return undefined;
  const date = await readArchivedBefore(pool, userKey);
  return date !== undefined && fromMs < Date.parse(`${date}T00:00:00Z`) + FURTHEST_BEHIND_MS ? date : undefined;
}

/** Returns the local day before which ordinary samples of a user were archived; undefined without any. */
export async function readArchivedBefore(pool: pg.Pool, userKey: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ date: string }>(archivedBeforeOf([userKey]));
  return rows[0]?.date;
}
