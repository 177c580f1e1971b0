import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { refreshNights } from '../derived/nights/night-value.js';

/** Number of wake dates per transaction. Limits how long the user's row is locked. */
const DATES_AT_ONCE = 60;

/**
 * Recomputes the readings of one chunk of a user's nights, in the caller's transaction.
 * @param from start of the chunk; undefined for the first chunk
 * @returns the number of nights and the start of the next chunk, if any
 * @throws UserMissingError
 */
export async function rebuildNights(
  client: pg.ClientBase,
  userKey: number,
  from?: Date,
): Promise<{ corrected: number; resumeAt?: Date }> {
  await lockUser(client, userKey);
  const { rows } = await client.query<{ wake_date: string }>(
    `select distinct wake_date::text from sleep_session where user_key = $1 and wake_date >= $2::date
      order by 1 limit ${DATES_AT_ONCE}`,
    [userKey, (from ?? new Date(0)).toISOString().slice(0, 10)],
  );
  const dates = rows.map(({ wake_date: date }) => date);
  await refreshNights(client, userKey, dates);
  const last = dates.length === DATES_AT_ONCE ? dates.at(-1) : undefined;
  const resumeAt = last && new Date(Date.parse(last) + MS_PER_DAY);
  return { corrected: dates.length, ...(resumeAt && { resumeAt }) };
}
