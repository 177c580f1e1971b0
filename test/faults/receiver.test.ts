import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CopyApi, type DigestApi, snapshotThenFollow, type Verification, verifyCopy } from '@healthd/client/feed';
import { postgresCopy } from '@healthd/client/postgres';
import { createPool } from '@healthd/daemon/platform/database';
import { expect, it } from 'vitest';
import { stepsExport } from '../api/import-xml.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { FaultProcess, faultEnvironment } from './fault-processes.js';
import { apiOf } from './memory-copy.js';
import { type LoadCounts, type Phone, phoneBatch, sendUntil } from './push-load.js';

/** Number of kills in one run: a few in `npm test`, 60 in `npm run faults`. HEALTHD_FAULTS_KILLS sets a lower number. */
const KILLS = Math.min(60, Number(process.env.HEALTHD_FAULTS_KILLS ?? 4));
const PHONES = 2;
/** A machine that runs other tests needs more than 10 s per kill. */
const LIMIT_MS = 180_000 + KILLS * 20_000;

it(
  "a receiver's copy equals the service's data after both were killed",
  async () => {
    const world = await openWorld();
    let stage = 'kills processes';
    // Prints what the test waits for, because the timeout does not show it.
    const stuck = setTimeout(async () => console.log(`still ${stage}: ${await stateOf(world)}`), LIMIT_MS - 20_000);
    try {
      const stop = new AbortController();
      const working = [
        ...world.phones.map((phone) => sendUntil(phone, world, world.counts, stop.signal)),
        ...world.phones.map((phone) => changeUntil(world, phone, stop.signal)),
        importUntil(world, stop.signal),
      ];
      await disturb(world);
      stop.abort();
      stage = 'restarts processes';
      await recover(world);
      stage = 'ends the load';
      await Promise.all(working);
      stage = 'waits for runs and batches';
      await settled(world);
      stage = 'verifies the copy';
      const results = await verified(world);
      const compared = results.reduce((sum, one) => sum + one.compared, 0);
      const { kills, receiverKills, done } = world;
      console.log(
        `${kills()} kills of processes (60 in npm run faults), ${receiverKills} of the receiver; ${compared} digests; ${JSON.stringify(done)}`,
      );
      expect(results.map(({ state, differences }) => ({ state, differences }))).toEqual(
        results.map(() => ({ state: 'equal', differences: [] })),
      );
      expect(results).toHaveLength(PHONES + 1);
      expect(kills()).toBeGreaterThanOrEqual(KILLS);
      // Fails if the load lacks a type of change that this test covers.
      expect(Math.min(done.corrected, done.deleted, done.replaced, compared)).toBeGreaterThan(0);
      expect(world.counts.wrong).toEqual([]);
    } finally {
      stage = 'ends';
      await closeWorld(world);
      clearTimeout(stuck);
    }
  },
  LIMIT_MS,
);

/** Describes service and copy for a test that waits too long. */
async function stateOf({ processes, counts, database, own }: World): Promise<string> {
  const service = await database.pool.query(
    `select (select json_agg(position) from user_state) as positions, (select last_ordinal from feed_state),
            (select count(*) from change where ordinal is null) as unnumbered,
            (select count(*) from sync_run where status = 'in_progress') as runs,
            (select count(*) from device_batch where state = 'received') as batches,
            (select json_agg(json_build_object('state', state, 'since', state_change, 'wait', wait_event, 'query', left(query, 80)))
               from pg_stat_activity where datname = current_database() and state <> 'idle') as statements`,
  );
  const copy = await own.pool.query(
    `select (select json_agg(position) from healthd.users) as positions, (select row_to_json(s) from healthd.state s) as state`,
  );
  const up = processes.map(({ role, isUp }) => ({ role, isUp }));
  return JSON.stringify({ up, counts, service: service.rows[0], copy: copy.rows[0] });
}

interface World {
  headers: Record<string, string>;
  url(): string | undefined;
  kills(): number;
  processes: FaultProcess[];
  database: TestDatabase;
  /** Database of the receiver. */
  own: TestDatabase;
  phones: Phone[];
  importer: string;
  counts: LoadCounts;
  done: { corrected: number; deleted: number; replaced: number };
  client: CopyApi & DigestApi;
  receiver: Receiver;
  receiverKills: number;
  folder: string;
}

async function openWorld(): Promise<World> {
  const [database, own] = [await createTestDatabase({ maxConnections: 4 }), await createTestDatabase()];
  const folder = await mkdtemp(join(tmpdir(), 'healthd-faults-'));
  const env = faultEnvironment(database.url, folder, undefined);
  const processes = [new FaultProcess('api', env), new FaultProcess('worker', env)];
  const [api] = processes as [FaultProcess];
  await api.start();
  await processes[1]?.start();
  const users = Array.from({ length: PHONES + 1 }, () => randomUUID());
  for (const id of users) await database.pool.query('insert into health_user (id) values ($1)', [id]);
  const headers = { 'X-Service-API-Key': api.apiKey ?? '', 'Content-Type': 'application/json' };
  const client = apiOf(() => api.url, headers);
  return {
    headers,
    url: () => api.url,
    kills: () => processes.reduce((sum, one) => sum + one.kills, 0),
    processes,
    database,
    own,
    phones: users.slice(1).map((userId) => ({ userId, accepted: [], made: 0 })),
    importer: users[0] as string,
    counts: { accepted: 0, later: 0, lost: 0, wrong: [] },
    done: { corrected: 0, deleted: 0, replaced: 0 },
    client,
    receiver: startReceiver(client, own),
    receiverKills: 0,
    folder,
  };
}

interface Receiver {
  /** Cuts the database connections first, so that transactions are interrupted, as in a killed process. */
  kill(): Promise<void>;
}

function startReceiver(client: CopyApi, own: TestDatabase): Receiver {
  const stop = new AbortController();
  const pool = createPool({ url: own.url, max: 3, applicationName: 'receiver' });
  pool.on('error', () => undefined);
  const copy = postgresCopy(pool);
  const work = (async () => {
    await copy.createTables();
    await snapshotThenFollow(client, copy, { signal: stop.signal, waitSeconds: 5 });
  })().catch((error: unknown) => {
    // Cut connections are part of the test. A receiver in production restarts in the same way.
    if (!stop.signal.aborted) throw error;
  });
  return {
    async kill() {
      stop.abort();
      await own.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'receiver'`,
      );
      await work;
      await pool.end();
    },
  };
}

/** Kills service and worker at random moments, and sometimes the receiver. Waits for another accepted batch each time. */
async function disturb(world: World): Promise<void> {
  for (let turn = 1; world.kills() < KILLS; turn++) {
    const { accepted } = world.counts;
    while (world.counts.accepted === accepted) {
      for (const one of world.processes.filter(({ isIdle }) => isIdle)) await one.start();
      await sleep(20);
    }
    await sleep(Math.random() * 400);
    const up = world.processes.filter(({ isUp }) => isUp);
    const victim = up[Math.floor(Math.random() * up.length)];
    await victim?.kill();
    if (turn % 3 === 0) {
      await world.receiver.kill();
      world.receiverKills++;
      world.receiver = startReceiver(world.client, world.own);
    }
    await victim?.start();
  }
}

async function recover({ processes }: World): Promise<void> {
  await Promise.all(processes.map((one) => (one.isUp ? undefined : one.start())));
}

/** Sends corrections and deletions of earlier batches until `stop` is aborted. */
async function changeUntil(world: World, phone: Phone, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sleep(100 + Math.random() * 300);
    if (phone.made === 0) continue;
    const batch = JSON.parse(phoneBatch(Math.floor(Math.random() * phone.made)).body);
    const isDeletion = Math.random() < 0.4;
    const { records, workouts } = batch.data;
    if (isDeletion) batch.data = { deleted: [{ id: records[0].id }, { id: workouts[0].id }] };
    else batch.data = { records: records.map((record: { value: number }) => ({ ...record, value: record.value + 1 })) };
    const isDone = await posted(world, `/api/v1/sdk/users/${phone.userId}/sync`, JSON.stringify(batch), 202);
    if (isDone) world.done[isDeletion ? 'deleted' : 'corrected']++;
  }
}

/** Imports files of different lengths in mode `replace` until `stop` is aborted. */
async function importUntil(world: World, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const form = new FormData();
    form.set('file', new Blob([stepsExport(200 + Math.floor(Math.random() * 2_000))]), 'export.xml');
    const path = `/api/v1/users/${world.importer}/import/apple/xml/direct?mode=replace`;
    if (await posted(world, path, form, 200)) world.done.replaced++;
    await sleep(300);
    // A backlog of imports would only delay the end of the test.
    while (!stop.aborted && (await runsInProgress(world, world.importer)) > 0) await sleep(200);
  }
}

async function runsInProgress({ database }: World, userId: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from sync_run
      where status = 'in_progress' and user_key = (select user_key from health_user where id = $1)`,
    [userId],
  );
  return rows[0]?.n ?? 0;
}

async function posted(world: World, path: string, body: string | FormData, status: number): Promise<boolean> {
  const base = world.url();
  if (base === undefined) return false;
  const { 'Content-Type': type, ...headers } = world.headers;
  try {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { ...headers, ...(typeof body === 'string' && type !== undefined && { 'Content-Type': type }) },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    await response.text();
    return response.status === status;
  } catch {
    return false;
  }
}

/** Waits until the service has processed everything that it accepted. */
async function settled({ database, processes }: World): Promise<void> {
  const count = async () => {
    const { rows } = await database.pool.query<{ n: number }>(
      `select ((select count(*) from device_batch where state = 'received')
             + (select count(*) from sync_run where status = 'in_progress'))::int as n`,
    );
    return rows[0]?.n;
  };
  await expect.poll(count, { timeout: LIMIT_MS, interval: 300 }).toBe(0);
  expect(processes.flatMap(({ endedAlone }) => endedAlone)).toEqual([]);
}

/** Verifies the copy of each user once the receiver has applied the service's last change. */
async function verified({ client, own, database }: World): Promise<Verification[]> {
  const copy = postgresCopy(own.pool);
  const { rows } = await database.pool.query<{ id: string; position: number }>(
    'select id, coalesce(position, 0)::int as position from health_user left join user_state using (user_key)',
  );
  const positions = async () => {
    const found: Record<string, number> = {};
    for (const id of await copy.userIds()) {
      found[id] = (await copy.readUser(id, async ({ position }) => position)) ?? 0;
    }
    return found;
  };
  await expect
    .poll(positions, { timeout: 120_000, interval: 300 })
    .toEqual(Object.fromEntries(rows.map(({ id, position }) => [id, position])));
  const results: Verification[] = [];
  for (const { id } of rows) {
    const result = await copy.readUser(id, (user) => verifyCopy(client, user));
    if (result) results.push(result);
  }
  return results;
}

async function closeWorld(world: World): Promise<void> {
  await world.receiver.kill();
  await Promise.all(world.processes.map((one) => one.kill()));
  await world.database.drop();
  await world.own.drop();
  await rm(world.folder, { recursive: true, force: true });
}
