import { createUser } from '@healthd/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/daemon.js';
import {
  bodiesOf,
  bodyOf,
  COLLISIONS,
  type Collision,
  collision,
  DELETIONS,
  type Deletion,
  deletionOf,
  READINGS_OF_DAYS,
} from '../support/hostile-counts.js';
import {
  type Cost,
  isLong,
  type MeasuredDaemon,
  startMeasuredDaemon,
  withoutPauses,
} from '../support/measured-daemon.js';

/** Allowance for the cost of an empty push and for measurement noise. */
const FLOOR_MS = 60;
const DATABASE_FLOOR_MS = 250;
const COUNTS = [5_000, 50_000] as const;
/** Maximum growth of the cost, with a margin for noise. n log n grows at most 13.3 times, quadratic cost 100 times. */
const MOST_GROWTH = 16;

let daemon: MeasuredDaemon;
beforeAll(async () => {
  daemon = await startMeasuredDaemon();
  // Loads the modules that the first push needs.
  await measure(COLLISIONS[0] as Collision, 10);
});
afterAll(() => daemon?.stop());

test.each(COLLISIONS)('stores many pushed items in n log n time: $name', async (colliding) => {
  const small = await withoutPauses(() => measure(colliding, COUNTS[0]));
  const large = await withoutPauses(() => measure(colliding, COUNTS[1]));
  console.info(colliding.name, JSON.stringify([small, large]));
  expect([...small, ...large].filter(isLong)).toEqual([]);
  for (const [index, { ms }] of large.entries()) {
    expect(ms).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, small[index]?.ms ?? 0));
  }
});

test('never blocks other requests while storing readings of 30,000 days', async () => {
  expect((await withoutPauses(() => measure(READINGS_OF_DAYS, 30_000))).filter(isLong)).toEqual([]);
});

test.each(DELETIONS)('deletes many items in n log n time: $name', async (deletion) => {
  const small = await withoutPauses(() => measureDeletion(deletion, 1_000));
  // 10,000 is the maximum number of deletions in one push.
  const large = await withoutPauses(() => measureDeletion(deletion, 10_000));
  expect([...small, ...large].filter(isLong)).toEqual([]);
  for (const [index, { ms, ofDatabaseMs }] of large.entries()) {
    const few = small[index] as Measured;
    expect(ms).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, few.ms));
    expect(ofDatabaseMs).toBeLessThan(MOST_GROWTH * Math.max(DATABASE_FLOOR_MS, few.ofDatabaseMs));
  }
});

test('adds a stage within 1.5 s to a night of 4,000 sessions', async () => {
  const [cost] = await withoutPauses(async () => [await addedStage()]);
  expect(cost?.status).toBe('success');
  expect([cost].filter((each) => each && isLong(each))).toEqual([]);
  expect(cost?.ms).toBeLessThan(1_500);
});

/** Adds a stage to a new user's night of 4,000 sessions. */
async function addedStage(): Promise<Measured> {
  const { id } = await daemon.client.call(createUser, {});
  const sessions = collision('sessions of one night');
  await push(id, bodyOf(sessions, 1));
  // Inserts rows as an older version without limits stored them.
  await inDatabase(daemon.home, (pool) =>
    pool.query(
      `insert into sleep_stage (user_key, source_id, start_at, end_at, stage, session_id)
       select user_key, source_id, start_at + n * interval '7 seconds', end_at + n * interval '5 seconds', stage, 'old-' || n
         from sleep_stage cross join generate_series(1, 4000) n
        where user_key = (select user_key from health_user where id = $1)`,
      [id],
    ),
  );
  return measured(id, bodyOf(collision('one more stage of the night'), 1));
}

const NIGHTS_AND_WORKOUTS = 'start_date=2026-02-01&end_date=2026-03-14';
test.each([
  [
    'sleep',
    'nights of many sources',
    10_000,
    ['summaries/sleep?', 'summaries/recovery?', 'events/sleep?filter_by_priority=true&'],
  ],
  ['workouts', 'workouts of each hour by many sources', 20_000, ['events/workouts?filter_by_priority=true&']],
] as const)('does not delay other users while reading %s of 1,000 sources', async (_list, name, count, paths) => {
  const { id } = await daemon.client.call(createUser, {});
  expect(await push(id, bodyOf(collision(name), count))).toBe('success');
  for (const path of paths) {
    const url = `${daemon.url}/api/v1/users/${id}/${path}${NIGHTS_AND_WORKOUTS}`;
    const read = () =>
      daemon.costOf(async () => {
        expect((await fetch(url, { headers: { 'X-Service-API-Key': daemon.apiKey } })).status).toBe(200);
      });
    expect((await withoutPauses(async () => [await read()])).filter(isLong)).toEqual([]);
  }
});

interface Measured extends Cost {
  status: string;
}

/** Returns the costs of pushing the items, one more item, and a fifth of the items again. Repeating all is too slow. */
async function measure(colliding: Collision, count: number): Promise<Measured[]> {
  const { id } = await daemon.client.call(createUser, {});
  return [
    await measured(id, ...bodiesOf(colliding, count)),
    await measured(id, bodyOf(colliding, 1, count)),
    await measured(id, ...bodiesOf(colliding, count / 5)),
  ];
}

/** Returns the costs of editing, deleting, deleting again, and redelivering the items. */
async function measureDeletion(deletion: Deletion, count: number): Promise<Measured[]> {
  const { id } = await daemon.client.call(createUser, {});
  const items = bodyOf(deletion, count);
  await push(id, items);
  return [
    await measured(id, deletionOf(deletion, count, true)),
    await measured(id, deletionOf(deletion, count, false)),
    await measured(id, deletionOf(deletion, count, false)),
    await measured(id, items),
  ];
}

/** Returns the cost of consecutive pushes and the status of the last push. */
async function measured(userId: string, ...bodies: object[]): Promise<Measured> {
  let status = '';
  const cost = await daemon.costOf(async () => {
    for (const body of bodies) status = await push(userId, body);
  });
  return { ...cost, status };
}

/** Sends a push and waits for its run's end. */
async function push(userId: string, body: object): Promise<string> {
  const headers = { 'X-Service-API-Key': daemon.apiKey };
  const path = `${daemon.url}/api/v1/sdk/users/${userId}/sync`;
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(202);
  const { batch_id: batchId } = (await answer.json()) as { batch_id: string };
  // Waits longer between requests, because each response takes time of the main thread that this test measures.
  for (let waitMs = 200; ; waitMs *= 1.5) {
    const response = await fetch(`${daemon.url}/api/v1/sync/runs/${batchId}`, { headers });
    const run = (await response.json()) as { ended_at: string | null; status: string };
    if (run.ended_at) return run.status;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
