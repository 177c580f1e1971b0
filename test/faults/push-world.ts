import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestMongod } from '../support/mongod.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { FaultProcess, faultEnvironment } from './fault-processes.js';
import type { LoadCounts, Phone } from './push-load.js';

/** Number of kills in one run: a few in `npm test`, hundreds in `npm run faults`. */
export const KILLS = Number(process.env.HEALTHD_FAULTS_KILLS ?? 4);
const PHONES = 6;
export const LIMIT_MS = 180_000 + KILLS * 6_000;

/** An API process, workers and phones, with one database. */
export interface World {
  database: TestDatabase;
  api: FaultProcess;
  workers: FaultProcess[];
  mongod: TestMongod | undefined;
  phones: Phone[];
  headers: Record<string, string>;
}

let folder: string;

/** @param settings overrides settings of all processes */
export async function openWorld(mongod: TestMongod | undefined, settings: Record<string, string> = {}): Promise<World> {
  const database = await createTestDatabase({ maxConnections: 4 });
  folder = await mkdtemp(join(tmpdir(), 'healthd-faults-'));
  const { PORT = '0', ...others } = settings;
  const env = { ...faultEnvironment(database.url, folder, mongod?.databaseUri()), ...others };
  const api = new FaultProcess('api', { ...env, PORT });
  const workers = [new FaultProcess('worker', env), new FaultProcess('worker', env)];
  await api.start();
  await Promise.all(workers.map((worker) => worker.start()));
  const phones = Array.from({ length: PHONES }, () => ({ userId: randomUUID(), accepted: [], made: 0 }));
  for (const { userId } of phones) await database.pool.query('insert into health_user (id) values ($1)', [userId]);
  const headers = { 'X-Service-API-Key': api.apiKey ?? '', 'Content-Type': 'application/json' };
  return { database, api, workers, mongod, phones, headers };
}

/**
 * Kills processes at random moments. Each kill waits for another accepted batch, because consecutive kills on a busy
 * machine would have no work to lose. Between kills, cuts database connections and stops MongoDB.
 */
export async function disturb(world: World, counts: LoadCounts): Promise<number> {
  const { api, workers, database, mongod } = world;
  const processes = [api, ...workers];
  const killed = () => processes.reduce((sum, { kills }) => sum + kills, 0);
  const restarting = new Set<Promise<void>>();
  for (let turn = 1; killed() < KILLS; turn++) {
    const { accepted } = counts;
    while (counts.accepted === accepted) {
      // Restarts a process that exited unexpectedly. The test reports the exit separately.
      for (const one of processes.filter(({ isIdle }) => isIdle)) await one.start();
      await sleep(20);
    }
    await sleep(50 + Math.random() * 350);
    const up = processes.filter(({ isUp }) => isUp);
    const victim = up[Math.floor(Math.random() * up.length)];
    if (victim) {
      await victim.kill();
      const again = victim.start().finally(() => restarting.delete(again));
      restarting.add(again);
    }
    if (turn % 4 === 0) await cutConnections(database);
    if (turn % 10 === 6 && mongod?.ours) {
      await mongod.stop(Math.random() < 0.5 ? 'SIGKILL' : 'SIGINT');
      await sleep(500 + Math.random() * 1000);
      await mongod.start();
    }
    // Limits concurrent starts. A start costs more than the rest of the test, and the machine would otherwise only
    // start processes.
    while (restarting.size > 1) await Promise.race(restarting);
  }
  await Promise.all(restarting);
  return killed();
}

async function cutConnections({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'healthd test'`,
  );
}

export async function recover({ api, workers, mongod }: World): Promise<void> {
  if (mongod?.ours) await mongod.start();
  await Promise.all([api, ...workers].map((one) => (one.isUp ? undefined : one.start())));
}

export async function drained({ database }: World): Promise<void> {
  const until = Date.now() + LIMIT_MS;
  for (;;) {
    const { rows } = await database.pool.query<{ n: number; attempts: number | null }>(
      "select count(*)::int as n, max(attempts)::int as attempts from device_batch where state = 'received'",
    );
    if (rows[0]?.n === 0) return;
    if (Date.now() > until) throw new Error(`batches stay unprocessed: ${JSON.stringify(rows[0])}`);
    await sleep(50);
  }
}

export async function closeWorld({ database, api, workers }: World): Promise<void> {
  await Promise.all([api, ...workers].map((one) => one.kill()));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}
