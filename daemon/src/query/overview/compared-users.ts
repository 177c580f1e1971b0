import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { ACTIVITY_TYPES } from '../activity/day-groups.js';
import { type DayValues, readDayValues } from '../activity/day-values.js';
import { type BodyFigures, type BodyParams, bodySummary, readStoredBody, selectBody } from '../body/body.js';
import { daysAfter } from '../bounds.js';
import { localDateAt } from '../local-offsets.js';
import { type NightFigures, readNightFigures } from '../nights/night-figures.js';
import { readStoredNights, type StoredNights, selectNights } from '../nights/night-sessions.js';
import { hasRecovery, recoverySummary } from '../nights/recovery-summary.js';

/** Maximum number of users that a preview compares, in random order. */
export const MAX_USERS = 1_000;
const ALL_DAYS = { fromDate: '0001-01-10', beforeDate: '9999-01-01' };

/** The stored data of one user's summaries. */
export interface ComparedUser {
  values: DayValues;
  nights: StoredNights;
  /** Selects the sources of nights, recovery and body. `free` ignores the sources that archived nights store. */
  select(priorities: Priorities, how?: 'free'): Promise<SelectedFigures>;
}

/** A user's nights, recovery and body with the source of each group. */
export interface SelectedFigures {
  /** Dates with sessions or readings. */
  dates: readonly NightFigures[];
  /** Dates with a row in the recovery summary. */
  recoveries: readonly NightFigures[];
  /** Recoveries that the averages of the body include. */
  averaged: readonly NightFigures[];
  /** Undefined without a current body summary. */
  body: BodyFigures | undefined;
}

/** Reads and compares each user's data. Returns the number of users that were compared before the deadline. */
export async function compareUsers(
  pool: pg.Pool,
  { keys, deadline, body }: { keys: readonly number[]; deadline: number; body: BodyParams },
  compare: (user: ComparedUser) => Promise<void>,
): Promise<number> {
  for (const [at, userKey] of keys.entries()) {
    if (performance.now() >= deadline) return at;
    await compare(await readUser(pool, userKey, body));
  }
  return keys.length;
}

async function readUser(pool: pg.Pool, userKey: number, params: BodyParams): Promise<ComparedUser> {
  const query = { typeIds: ACTIVITY_TYPES, ...ALL_DAYS, position: null, ascending: true, limit: null };
  const [values, stored, storedBody, today] = await Promise.all([
    readDayValues(pool, userKey, query),
    readStoredNights(pool, userKey, ALL_DAYS),
    readStoredBody(pool, userKey, { ...params, of: 'newest' }),
    localDateAt(pool, userKey, params.nowMs),
  ]);
  const firstAveraged = daysAfter(today, 1 - params.averageDays);
  return {
    values,
    nights: stored,
    select: async (priorities, how) => {
      const comparedNights = how === 'free' ? { ...stored, keptSource: () => undefined } : stored;
      const nights = { ...comparedNights, days: await selectNights(comparedNights, priorities) };
      const dates = await readNightFigures(pool, userKey, { nights, ...ALL_DAYS, priorities, of: 'both' });
      const recoveries = dates.filter(hasRecovery);
      const averaged = recoveries.filter(({ date }) => date >= firstAveraged && date <= today);
      const rows = averaged.map((one) => recoverySummary(one, nights));
      const body = selectBody(storedBody, rows, priorities);
      return { dates, recoveries, averaged, body: bodySummary(body) ? body : undefined };
    },
  };
}
