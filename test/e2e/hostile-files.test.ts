import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUser } from '@healthd/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Daemon, inDatabase, newHome, startDaemon } from '../support/daemon.js';
import { FILE_COLLISIONS, type FileCollision, fileOf, workoutOfEvents } from '../support/hostile-files.js';
import { databaseMs, mainThreadMs } from '../support/main-thread-time.js';

/** Longest event-loop turn in CPU time of the main thread. */
const MOST_MS = 200;
/** Cost of an empty file and measurement noise. */
const FLOOR_MS = 100;
const DATABASE_FLOOR_MS = 250;
const COUNTS = [1_000, 10_000, 100_000];
/**
 * Most growth of the cost to 10,000 and to 100,000 items. n log n grows 13.3 and 12.5 times; 100,000 items no longer fit the
 * processor's caches. A square would grow 100 times.
 */
const MOST_GROWTH = [14, 20];
const probe = new URL('../support/turn-probe.mjs', import.meta.url).href;

let daemon: Daemon;
let turns: string;
beforeAll(async () => {
  const home = newHome();
  turns = join(home.folder, 'turns');
  writeFileSync(turns, '');
  daemon = await startDaemon({ home, env: { NODE_OPTIONS: `--import ${probe}`, TURN_PROBE_FILE: turns } });
  // Loads the modules that the first import needs.
  await measure(FILE_COLLISIONS[0] as FileCollision, 10);
});
afterAll(() => daemon?.stop());

test.each(FILE_COLLISIONS)('imports a file of many items in n log n: $name', async (colliding) => {
  const costs: Measured[][] = [];
  for (const count of COUNTS) costs.push(await measure(colliding, count));
  expect(costs.flat().filter(({ longestTurnMs }) => longestTurnMs > MOST_MS)).toEqual([]);
  for (const [at, larger] of costs.slice(1).entries()) {
    const most = MOST_GROWTH[at] as number;
    for (const [index, { ms, ofDatabaseMs }] of larger.entries()) {
      const few = costs[at]?.[index] as Measured;
      expect(ms).toBeLessThan(most * Math.max(FLOOR_MS, few.ms));
      expect(ofDatabaseMs).toBeLessThan(most * Math.max(DATABASE_FLOOR_MS, few.ofDatabaseMs));
    }
  }
});

test.each([10_000, 100_000])('never blocks other requests with a workout of %i events', async (count) => {
  const { id } = await daemon.client.call(createUser, {});
  const { longestTurnMs } = await measured(id, workoutOfEvents(count), 'merge');
  expect(longestTurnMs).toBeLessThanOrEqual(MOST_MS);
});

interface Measured {
  ms: number;
  ofDatabaseMs: number;
  longestTurnMs: number;
}

/** Costs of a file, of the same file again, and of a file with other items that replaces both. */
async function measure(colliding: FileCollision, count: number): Promise<Measured[]> {
  const { id } = await daemon.client.call(createUser, {});
  const file = fileOf(colliding, count);
  return [
    await measured(id, file, 'merge'),
    await measured(id, file, 'replace'),
    await measured(id, fileOf(colliding, count, count), 'replace'),
  ];
}

async function measured(userId: string, file: string, mode: string): Promise<Measured> {
  return inDatabase(daemon.home, async (pool) => {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const databasePid = rows[0]?.pid ?? 0;
    const longTurns = () => readFileSync(turns, 'utf8').split('\n').filter(Boolean).map(Number);
    const [before, databaseBefore] = [mainThreadMs(daemon.pid), databaseMs(databasePid)];
    const turnsBefore = longTurns().length;
    const status = await upload(userId, file, mode);
    expect(['success', 'partial']).toContain(status);
    const result = {
      ms: Math.round(mainThreadMs(daemon.pid) - before),
      ofDatabaseMs: databaseMs(databasePid) - databaseBefore,
      longestTurnMs: Math.max(0, ...longTurns().slice(turnsBefore)),
    };
    client.release();
    return result;
  });
}

/** Sends a file and waits for its run's end. */
async function upload(userId: string, file: string, mode: string): Promise<string> {
  const headers = { 'X-Service-API-Key': daemon.apiKey };
  const form = new FormData();
  form.set('file', new Blob([file]), 'export.xml');
  const path = `${daemon.url}/api/v1/users/${userId}/import/apple/xml/direct?mode=${mode}`;
  const answer = await fetch(path, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(200);
  const { run_id: runId } = (await answer.json()) as { run_id: string };
  // Responses also cost the main thread, so a busy machine must not inflate the result.
  for (let waitMs = 100; ; waitMs *= 1.5) {
    const response = await fetch(`${daemon.url}/api/v1/sync/runs/${runId}`, { headers });
    const run = (await response.json()) as { ended_at: string | null; status: string };
    if (run.ended_at) return run.status;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
