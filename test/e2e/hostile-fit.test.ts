import { authorizeProvider, createUser } from '@healthd/contract';
import { type SuuntoSimulator, startSuuntoSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/daemon.js';
import { FIT_COLLISIONS, SECONDS_OF_A_WORKOUT } from '../support/hostile-fit.js';
import {
  type Cost,
  isLong,
  type MeasuredDaemon,
  startMeasuredDaemon,
  withoutPauses,
} from '../support/measured-daemon.js';
import { suuntoSettings } from '../support/simulated-vendor.js';

/** Allowance for the cost of a small file and for measurement noise. */
const FLOOR_MS = 100;
const DATABASE_FLOOR_MS = 300;
/**
 * Maximum growth of the cost for ten times the data. n log n grows 13.3 times from 1,000 to 10,000, and 12.5 times from
 * 10,000 to 100,000.
 */
const MOST_GROWTH = 14;
const COUNTS = [1_000, 10_000, 100_000];
const HOUR_MS = 3_600_000;
/** Start of the workouts. The longest file must end before now. */
const startMs = Math.floor(Date.now() / HOUR_MS - 40) * HOUR_MS;

let suunto: SuuntoSimulator;
let daemon: MeasuredDaemon;
let users = 0;
beforeAll(async () => {
  suunto = await startSuuntoSimulator({ autoConsent: true, limits: { perMinute: 1e6, perWeek: 1e6 } });
  daemon = await startMeasuredDaemon({
    ...suuntoSettings(suunto),
    SUUNTO_READ_FIT_FILES: 'true',
    HISTORICAL_SYNC_ON_CONNECT: 'false',
  });
  // Loads the modules that the first file needs.
  await readBySuunto(FIT_COLLISIONS[0]?.contentOf(10, startMs) ?? '');
}, 120_000);
afterAll(async () => {
  await daemon?.stop();
  await suunto?.close();
});

test.each(FIT_COLLISIONS)('reads the FIT file of a sync in n log n time: $name', async ({ contentOf }) => {
  const costs: Cost[] = [];
  for (const count of COUNTS) costs.push(await readBySuunto(contentOf(count, startMs)));
  expectBounded(costs);
});

test('reads per-second FIT records in n log n time', async () => {
  const costs: Cost[] = [];
  for (const count of [1_000, 10_000, 100_000])
    costs.push(await readBySuunto(SECONDS_OF_A_WORKOUT.contentOf(count, startMs)));
  expectBounded(costs);
});

test('reads workout files with equal start times in n log n time', async () => {
  const costs: Cost[] = [];
  const content = SECONDS_OF_A_WORKOUT.contentOf(1_000, startMs);
  for (const count of [6, 60]) costs.push(await readBySuunto(content, count));
  expectBounded(costs);
});

function expectBounded(costs: readonly Cost[]): void {
  expect(costs.filter(isLong)).toEqual([]);
  for (const [at, few] of costs.slice(0, -1).entries()) {
    const many = costs[at + 1] as Cost;
    expect(many.ms).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, few.ms));
    expect(many.ofDatabaseMs).toBeLessThan(MOST_GROWTH * Math.max(DATABASE_FLOOR_MS, few.ofDatabaseMs));
  }
}

/** Returns the cost of a sync that finds this many workouts with this file. */
async function readBySuunto(content: string, count = 1): Promise<Cost> {
  const [cost] = await withoutPauses(async () => [await readOnce(content, count)]);
  return cost as Cost;
}

async function readOnce(content: string, count: number): Promise<Cost> {
  const { account, user } = await connected();
  const keys = Array.from({ length: count }, (_, index) => (users * 1_000 + index).toString(16).padStart(24, '0'));
  const workouts = keys.map((workoutKey) => ({ workoutKey, activityId: 1, startTime: startMs, totalTime: 100_000 }));
  const files = Object.fromEntries(keys.map((key) => [key, { readings: [], content }]));
  await suunto.control.put(account, { workouts, files }, { notify: false });
  const cost = await daemon.costOf(async () => {
    const path = `${daemon.url}/api/v1/providers/suunto/users/${user}/sync?async=false`;
    const response = await fetch(path, { method: 'POST', headers: { 'X-Service-API-Key': daemon.apiKey } });
    expect(response.status).toBe(200);
  });
  // Workouts of one source that start in the same second are stored as one workout.
  expect(await workoutsOf(user)).toBe(1);
  return cost;
}

const workoutsOf = (user: string) =>
  inDatabase(daemon.home, async (pool) => {
    const { rows } = await pool.query(
      'select count(*)::int as stored from workout join health_user u using (user_key) where u.id = $1',
      [user],
    );
    return rows[0].stored as number;
  });

async function connected(): Promise<{ account: string; user: string }> {
  const account = `person-${++users}`;
  await suunto.control.addAccount({ id: account });
  const user = (await daemon.client.call(createUser, {})).id;
  const authorized = await daemon.client.call(authorizeProvider, {
    params: { provider: 'suunto' },
    query: { user_id: user },
  });
  const page = new URL(authorized.authorization_url);
  page.searchParams.set('login_hint', account);
  const consented = await fetch(page, { redirect: 'manual' });
  const back = new URL(consented.headers.get('location') ?? '');
  expect((await fetch(`${daemon.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);
  return { account, user };
}
