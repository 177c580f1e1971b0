import type { SeriesCode } from '@healthd/model';
import type { SleepSessionDetail } from '@healthd/schemas';
import type pg from 'pg';
import { samplesInside } from './session-samples.js';
import { sleepSession, wakingOffsets } from './sleep-sessions.js';
import { type SleepSessionRow, sessionsById } from './sleep-sessions.sql.js';

/** Series that say how a night went. */
const SHOWN: readonly SeriesCode[] = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'heart_rate_variability_sdnn',
  'respiratory_rate',
  'oxygen_saturation',
  'skin_temperature',
];

/** One night or nap with the samples of its source; undefined when the user has none with this id. */
export async function readSleepSession(
  pool: pg.Pool,
  userKey: number,
  id: string,
): Promise<SleepSessionDetail | undefined> {
  const row = (await pool.query<SleepSessionRow>(sessionsById([userKey, [id]]))).rows[0];
  if (!row) return undefined;
  const [localOffsetOf, samples] = await Promise.all([
    wakingOffsets(pool, userKey, [row]),
    samplesInside(pool, userKey, row, SHOWN),
  ]);
  return { ...sleepSession(row, localOffsetOf(row)), samples };
}
