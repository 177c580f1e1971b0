import { seriesTypeByCode } from '@healthd/model';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { readActivity } from './activity/activity.js';
import { readBody } from './body/body.js';
import { readSleepSessions } from './events/sleep-sessions.js';
import { readWorkouts } from './events/workouts.js';
import { readDataGaps } from './gaps/data-gaps.js';
import { readRecovery } from './nights/recovery-summary.js';
import { readSleepSummary } from './nights/sleep-summary.js';
import { readDataSummary } from './overview/data-summary.js';
import { readHealthScores } from './scores/health-scores.js';
import type { TimeseriesParams } from './timeseries/prepared-read.js';
import { readTimeseries } from './timeseries/timeseries.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;
const STEPS = seriesTypeByCode('steps').id;
const RESTING = seriesTypeByCode('resting_heart_rate').id;
const RMSSD = seriesTypeByCode('heart_rate_variability_rmssd').id;
const USERS = 4;
/** Number of all users' sources. Postgres scans this small table as a whole. */
const SOURCES = 2 * USERS;

let database: TestDatabase;
let user: { id: string; userKey: number };

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 });
  const { pool } = database;
  await pool.query(`insert into health_user (id) select gen_random_uuid() from generate_series(1, ${USERS})`);
  await pool.query(`
    insert into data_source (user_key, provider, device_model, device_type)
    select user_key, provider, provider || ' device', 'watch' from health_user, unnest(array['apple', 'garmin']) as provider`);
  // 120 days with a heart rate every five minutes and steps every ten, from two sources: 415,000 samples.
  await pool.query(`
    insert into sample (user_key, start_at, value, source_id, duration_ms, type_id, offset_minutes, slot)
    select s.user_key, at, 60 + minute % 50, s.source_id, null, type_id, 60, 0
    from data_source s
    cross join (values (${HEART_RATE}, 5), (${STEPS}, 10)) as series(type_id, every)
    cross join lateral generate_series(0, 120 * 1440 - 1, every) as minute
    cross join lateral (select timestamptz '2026-01-01' + minute * interval '1 minute' as at) placed`);
  await pool.query(`
    insert into day_value (user_key, local_date, sample_sum, sample_min, sample_max, last_value, last_at, source_id,
      sample_count, total_count, aggregate_count, covered_minutes, type_id)
    select user_key, (start_at at time zone 'UTC' + interval '60 minutes')::date, sum(value), min(value), max(value), 60,
      max(start_at), source_id, count(*), 0, 0, 288, type_id
    from sample group by 1, 2, source_id, type_id`);
  await pool.query(`
    insert into day_minutes (user_key, local_date, source_id, heart_rate_bins, heart_rate_seconds, heart_rate_minutes,
      step_minutes, active_minutes)
    select user_key, local_date, source_id, '{140,250}', '{40000,300}', repeat('1', 1440)::bit(1440),
      repeat('10', 720)::bit(1440), repeat('0', 1440)::bit(1440)
    from day_value where type_id = ${HEART_RATE}`);
  await pool.query(`
    insert into offset_day select distinct on (user_key, day) user_key, day, 60, day, day + interval '23 hours'
    from (select user_key, (start_at at time zone 'UTC')::date as day from sample) seen`);
  // One night per day from Apple. From each source: one workout and one resting heart rate per day, HRV every ten
  // minutes, and hourly scores.
  await pool.query(`
    insert into sleep_session (user_key, source_id, assembled, start_at, end_at, offset_minutes, wake_date, is_nap,
      asleep_seconds)
    select user_key, source_id, false, day + interval '22 hours', day + interval '30 hours', 60, day::date + 1, false, 27000
    from data_source s cross join generate_series(timestamptz '2026-01-01', '2026-04-29', '1 day') as day
    where s.provider = 'apple'`);
  await pool.query(`
    insert into workout (user_key, source_id, type, start_at, end_at, offset_minutes, local_date)
    select user_key, source_id, 'running', day + interval '8 hours', day + interval '9 hours', 60, day::date
    from data_source cross join generate_series(timestamptz '2026-01-01', '2026-04-29', '1 day') as day`);
  await pool.query(`
    insert into sample (user_key, start_at, value, source_id, type_id, offset_minutes, slot)
    select user_key, day + interval '23 hours', 55, source_id, ${RESTING}, 60, 0
    from data_source cross join generate_series(timestamptz '2026-01-01', '2026-04-29', '1 day') as day
    union all
    select user_key, day + interval '10 minutes' * step, 50, source_id, ${RMSSD}, 60, 0
    from data_source cross join generate_series(timestamptz '2026-01-01', '2026-04-29', '1 day') as day
    cross join generate_series(0, 143) as step`);
  await pool.query(`
    insert into day_value (user_key, local_date, sample_sum, sample_min, sample_max, last_value, last_at, source_id,
      sample_count, total_count, aggregate_count, covered_minutes, type_id)
    select user_key, (start_at at time zone 'UTC' + interval '60 minutes')::date, sum(value), min(value), max(value), 60,
      max(start_at), source_id, count(*), 0, 0, 288, type_id
    from sample where type_id in (${RESTING}, ${RMSSD}) group by 1, 2, source_id, type_id`);
  await pool.query(`
    insert into night_value (user_key, wake_date, night_source_id, type_id, source_id, asleep_count, asleep_sum, window_count,
      window_sum, aggregate_count, aggregate_sum, near_count, near_sum, stamped_count, stamped_sum)
    select user_key, wake_date, source_id, ${RMSSD}, source_id, 48, 2400, 48, 2400, 0, 0, 0, 0, 0, 0 from sleep_session`);
  await pool.query(`
    insert into health_score (user_key, source_id, provider, category, recorded_at, value, offset_minutes)
    select user_key, source_id, provider, 'recovery', day + interval '7 hours', 70, 60
    from data_source cross join generate_series(timestamptz '2026-01-01', '2026-04-29', '1 hour') as day`);
  await pool.query('analyze');
  const { rows } = await pool.query('select id, user_key from health_user order by user_key limit 1');
  user = { id: rows[0].id, userKey: rows[0].user_key };
});
afterAll(async () => database.drop());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/**
 * Runs `work` and returns the executed plan of every named statement that it sends. With `generic`, uses the generic
 * plan that Postgres chooses after many executions.
 */
async function plansOf(generic: boolean, work: (pool: pg.Pool) => Promise<unknown>): Promise<Plan[]> {
  const { pool } = database;
  await pool.query(`set plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`);
  const sent: pg.QueryConfig[] = [];
  const watched = new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? (query: pg.QueryConfig) => {
            sent.push(typeof query === 'string' ? { text: query } : query);
            return target.query(query);
          }
        : Reflect.get(target, name),
  });
  await work(watched);
  const plans: Plan[] = [];
  for (const { name, text, values = [] } of sent) {
    if (!name) continue;
    const literals = values.map((value) => literal(value)).join(', ');
    // The pool has one connection, so its prepared statements can be explained here.
    const { rows } = await pool.query(
      `explain (analyze, format json) execute "${name}"${literals === '' ? '' : `(${literals})`}`,
    );
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    expect(text).not.toBe('');
  }
  return plans;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const items = value.map((item) => (item === null ? 'null' : JSON.stringify(String(item))));
    return `'{${items.join(',')}}'`;
  }
  return `'${String(value)}'`;
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

/** Counts the sample or roll-up rows that the statements read, including rows that their filters dropped. */
function rowsTouched(plans: Plan[], relation: string): number {
  return plans
    .flatMap((plan) => [...nodesOf(plan)])
    .filter((node) => node['Relation Name'] === relation)
    .reduce(
      (sum, node) =>
        sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      0,
    );
}

/** Tables that grow with the users' data. */
const HEALTH_DATA = ['sample', 'day_value', 'day_minutes', 'night_value', 'sleep_session', 'workout', 'health_score'];

function expectIndexesOnly(plans: Plan[]): void {
  const scans = plans
    .flatMap((plan) => [...nodesOf(plan)])
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);
  expect(scans.filter((name) => HEALTH_DATA.includes(name ?? ''))).toEqual([]);
}

const moment = (date: string) => ({ ms: Date.parse(date), dateOnly: true });
const quarter = { start: moment('2026-01-15'), end: moment('2026-04-15') };
const series: TimeseriesParams = {
  ...quarter,
  types: ['heart_rate', 'steps'],
  endName: 'end_time',
  resolution: 'raw',
  limit: 100,
};

describe.each([
  ['custom', false],
  ['generic', true],
] as const)('a reader with %s query plans', (_, generic) => {
  it('reads only roll-ups in two statements for ninety days of activity', async () => {
    const plans = await plansOf(generic, (pool) =>
      readActivity({ ...database, pool }, user.userKey, { ...quarter, limit: 100, sortOrder: 'asc' }),
    );
    expect(plans).toHaveLength(2);
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBe(0);
    expect(rowsTouched(plans, 'day_value')).toBeLessThan(2 * 90 * 4 + 10);
  });

  it('reads cached totals by index for ninety merged days', async () => {
    const merged = { ...quarter, limit: 100, sortOrder: 'asc', merge: 'interval' } as const;
    await readActivity(database, user.userKey, merged);
    const plans = await plansOf(generic, (pool) => readActivity({ ...database, pool }, user.userKey, merged));
    expect(plans).toHaveLength(3);
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBe(0);
    expect(rowsTouched(plans, 'day_merged')).toBe(2 * 90);
  });

  it('counts all data from roll-ups in four statements', async () => {
    const plans = await plansOf(generic, (pool) => readDataSummary(pool, user, {}));
    expect(plans).toHaveLength(4);
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBe(0);
  });

  it('reads a page of samples and its count in two statements', async () => {
    const plans = await plansOf(generic, (pool) => readTimeseries({ ...database, pool }, user.id, series));
    // The first statement also finds the user.
    expect(plans).toHaveLength(2);
    expectIndexesOnly(plans);
    // Allows one page of two types, and one day of both sources at each edge.
    expect(rowsTouched(plans, 'sample')).toBeLessThan(2 * 101 + 2 * 2 * (288 + 144));
  });

  it('reads a late page as cheaply as the first page', async () => {
    const first = await readTimeseries(database, user.id, { ...series, limit: 10_000 });
    const cursor = first.pagination.next_cursor ?? '';
    const more = { ...series, cursor };
    const plans = await plansOf(generic, (pool) => readTimeseries({ ...database, pool }, user.id, more));
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBeLessThan(2 * 110 + 2 * 2 * (288 + 144));
  });

  it('reads only the displayed time and the day before for buckets', async () => {
    const plans = await plansOf(generic, (pool) =>
      readTimeseries({ ...database, pool }, user.id, { ...series, resolution: '15min', limit: 100 }),
    );
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBeLessThan(4 * 2 * (288 + 144));
  });

  it('reads roll-ups and resting heart rates for recovery of ninety days', async () => {
    const plans = await plansOf(generic, (pool) =>
      readRecovery({ ...database, pool }, user.userKey, { ...quarter, limit: 100 }),
    );
    // The last statement reads dates without sleep.
    expect(plans.length).toBeLessThanOrEqual(3);
    expectIndexesOnly(plans);
    // One resting heart rate per day from two sources.
    expect(rowsTouched(plans, 'sample')).toBeLessThan(2 * 96 + 10);
  });

  it('reads only the nights of a recovery page, not of its range', async () => {
    const read = (limit: number) =>
      plansOf(generic, (pool) => readRecovery({ ...database, pool }, user.userKey, { ...quarter, limit }));
    const [whole, part] = [await read(100), await read(10)];
    expect(rowsTouched(part, 'night_value')).toBeLessThanOrEqual(10);
    expect(rowsTouched(part, 'night_value')).toBeLessThan(rowsTouched(whole, 'night_value') / 8);
    expect(rowsTouched(part, 'sleep_session')).toBeLessThanOrEqual(10 + 4);
  });

  it('reads sessions and roll-ups for sleep of ninety days, in two statements', async () => {
    const plans = await plansOf(generic, (pool) =>
      readSleepSummary({ ...database, pool }, user.userKey, { ...quarter, limit: 100 }),
    );
    expect(plans).toHaveLength(2);
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBe(0);
    // Every record has its own offset.
    expect(rowsTouched(plans, 'offset_day')).toBe(0);
  });

  it('reads the newest values and a week of recovery for the body', async () => {
    const nowMs = Date.parse('2026-04-15');
    const plans = await plansOf(generic, (pool) =>
      readBody({ ...database, pool }, user.userKey, { nowMs, averageDays: 7, latestHours: 4, withheld: new Set() }),
    );
    // The statements read newest values and pressures, nights, and the evidence of dates with and without sleep.
    expect(plans.length).toBeLessThanOrEqual(4);
    expectIndexesOnly(plans);
    expect(rowsTouched(plans, 'sample')).toBeLessThan(2 * 8 * 145 + 30);
  });

  it.each([
    ['workouts', (pool: pg.Pool) => readWorkouts({ ...database, pool }, user.userKey, { ...quarter, limit: 50 })],
    [
      'sleep sessions',
      (pool: pg.Pool) =>
        readSleepSessions({ ...database, pool }, user.userKey, { ...quarter, filterByPriority: false, limit: 50 }),
    ],
    ['health scores', (pool: pg.Pool) => readHealthScores(pool, user.userKey, { limit: 50, offset: 0 })],
  ])('reads the sources of a page of %s once', async (_, read) => {
    const plans = await plansOf(generic, read);
    expect(rowsTouched(plans, 'data_source')).toBe(SOURCES);
  });

  it('looks up each source once per count for the data summary', async () => {
    const plans = await plansOf(generic, (pool) => readDataSummary(pool, user, {}));
    // The statements count series, workouts and sleep sessions.
    expect(rowsTouched(plans, 'data_source')).toBeLessThanOrEqual(3 * SOURCES);
  });

  it.each([false, true])('finds workouts by index if filterByPriority is %s', async (filterByPriority) => {
    const plans = await plansOf(generic, (pool) =>
      readWorkouts({ ...database, pool }, user.userKey, { ...quarter, filterByPriority, limit: 50 }),
    );
    expectIndexesOnly(plans);
    expect(plans.length).toBeLessThanOrEqual(4);
  });

  it.each(['raw', '1hour'] as const)('reads selected %s samples in at most 20 statements', async (resolution) => {
    const plans = await plansOf(generic, (pool) =>
      readTimeseries({ ...database, pool }, user.id, { ...series, resolution, filterByPriority: true, limit: 50 }),
    );
    expectIndexesOnly(plans);
    expect(plans.length).toBeLessThanOrEqual(20);
  });

  it('finds scores and gaps by index', async () => {
    const scores = await plansOf(generic, (pool) => readHealthScores(pool, user.userKey, { limit: 50, offset: 0 }));
    expectIndexesOnly(scores);
    const gaps = await plansOf(generic, (pool) => readDataGaps(pool, user, {}));
    expect(gaps).toHaveLength(2);
    expectIndexesOnly(gaps);
  });
});
