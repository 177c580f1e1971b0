import { seriesTypeByCode } from '@healthd/model';
import type { GoogleControl, GoogleFault } from '@healthd/simulators';
import { expect } from 'vitest';
import type { TestDatabase } from '../support/postgres.js';

/** Faults that the vendor simulates, with their share of requests. */
export const FAULTS: readonly GoogleFault[] = [
  { kind: 'rate_limited', retryAfterSeconds: 1, probability: 0.03 },
  { kind: 'rate_limited', probability: 0.01 },
  { kind: 'error', status: 500, probability: 0.03 },
  { kind: 'error', status: 500, probability: 0.3, match: { dataType: 'sleep' } },
  { kind: 'bad_gateway', probability: 0.03 },
  { kind: 'unauthorized', probability: 0.02 },
  { kind: 'truncated', probability: 0.02 },
  { kind: 'dropped', probability: 0.02 },
  { kind: 'empty_page', probability: 0.03 },
];

/** Compared series: the vendor's data type, the service's series, and the number of vendor units per service unit. */
const SERIES = [
  ['steps', 'steps', 1],
  ['distance', 'distance_walking_running', 1000],
  ['heart-rate', 'heart_rate', 1],
  ['weight', 'weight', 1000],
  ['oxygen-saturation', 'oxygen_saturation', 1],
  ['daily-resting-heart-rate', 'resting_heart_rate', 1],
] as const;

/** An account at the vendor and the connected user of the service. */
export interface VendorUser {
  account: string;
  userId: string;
}

const rounded = (value: number) => Number(value.toFixed(6));
const inOrder = (rows: (string | number | null | undefined)[][]) => rows.map((row) => row.join(' ')).sort();

/** Fails unless the user's stored data since an instant equals the vendor's data, without duplicates. */
export async function expectTruth(
  { pool }: TestDatabase,
  control: GoogleControl,
  { account, userId }: VendorUser,
  sinceMs: number,
): Promise<number> {
  const stored = async <Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>(sql, [userId, new Date(sinceMs), ...values])).rows;
  const ofUser = 'user_key = (select user_key from health_user where id = $1) and start_at >= $2';
  const recent = ({ startMs }: { startMs: number }) => startMs >= sinceMs;
  let compared = 0;
  for (const [type, code, per] of SERIES) {
    const truth = (await control.truePoints(account, type, 'reconcile')).filter(recent);
    const rows = await stored<{ start: number; value: number }>(
      `select extract(epoch from start_at)::float8 * 1000 as start, value from sample where ${ofUser} and type_id = $3`,
      seriesTypeByCode(code).id,
    );
    const found = rows.map(({ start, value }) => [Math.round(start), rounded(value)]);
    const expected = truth.map(({ startMs, value = 0 }) => [startMs, rounded(value / per)]);
    expect(inOrder(found), `${type} of ${account}`).toEqual(inOrder(expected));
    compared += found.length;
  }
  const sleeps = (await control.trueSleeps(account)).filter(recent);
  const nights = await stored<{ external_id: string; asleep_seconds: number }>(
    `select external_id, asleep_seconds from sleep_session where ${ofUser}`,
  );
  expect(inOrder(nights.map(({ external_id, asleep_seconds }) => [external_id, asleep_seconds]))).toEqual(
    inOrder(sleeps.map(({ name, minutesAsleep }) => [name, minutesAsleep * 60])),
  );
  const exercises = (await control.trueExercises(account)).filter(recent);
  const workouts = await stored<{ external_id: string; ends: number }>(
    `select external_id, extract(epoch from end_at)::float8 * 1000 as ends from workout where ${ofUser}`,
  );
  expect(inOrder(workouts.map(({ external_id, ends }) => [external_id, Math.round(ends)]))).toEqual(
    inOrder(exercises.map(({ name, endMs }) => [name, endMs])),
  );
  // Daily roll-ups are read from a day before the instant, so their sum is at least the sum of the samples.
  const [sums] = await stored<{ samples: number; days: number }>(
    `select (select sum(value) from sample where ${ofUser} and type_id = $3) as samples,
            (select sum(sample_sum) from day_value where user_key = (select user_key from health_user where id = $1)
               and type_id = $3 and local_date >= ($2::timestamptz - interval '1 day')::date) as days`,
    seriesTypeByCode('steps').id,
  );
  expect(Number(sums?.days)).toBeGreaterThanOrEqual(Number(sums?.samples));
  return compared + nights.length + workouts.length;
}
