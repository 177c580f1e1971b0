import { createUser } from '@healthd/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILE_COLLISIONS, type FileCollision, fileOf, workoutOfEvents } from '../support/hostile-files.js';
import {
  type Cost,
  isLong,
  type MeasuredDaemon,
  startMeasuredDaemon,
  withoutPauses,
} from '../support/measured-daemon.js';

/** Allowance for the cost of an empty file and for measurement noise. */
const FLOOR_MS = 100;
const DATABASE_FLOOR_MS = 250;
const COUNTS = [4_000, 40_000] as const;
/**
 * Maximum growth of the cost. n log n grows 12.8 times. The limit is higher, because many items exceed the processor's
 * caches and the smaller file may meet code that is already compiled. Quadratic cost grows 100 times.
 */
const MOST_GROWTH = 20;

let daemon: MeasuredDaemon;
beforeAll(async () => {
  daemon = await startMeasuredDaemon();
  // Loads the modules that the first import needs.
  await measure(FILE_COLLISIONS[0] as FileCollision, 10);
});
afterAll(() => daemon?.stop());

test.each(FILE_COLLISIONS)('imports a file of many items in n log n time: $name', async (colliding) => {
  const small = await withoutPauses(() => measure(colliding, COUNTS[0]));
  const large = await withoutPauses(() => measure(colliding, COUNTS[1]));
  console.info(colliding.name, JSON.stringify([small, large]));
  expect([...small, ...large].filter(isLong)).toEqual([]);
  for (const [index, { ms, ofDatabaseMs }] of large.entries()) {
    const few = small[index] as Cost;
    expect(ms).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, few.ms));
    expect(ofDatabaseMs).toBeLessThan(MOST_GROWTH * Math.max(DATABASE_FLOOR_MS, few.ofDatabaseMs));
  }
});

test.each([10_000, 100_000])('never blocks other requests while importing a workout of %i events', async (count) => {
  const costs = await withoutPauses(async () => {
    const { id } = await daemon.client.call(createUser, {});
    return [await measured(id, workoutOfEvents(count), 'merge')];
  });
  expect(costs.filter(isLong)).toEqual([]);
});

/** Returns the costs of a file, of the same file again, and of a file with other items that replaces both. */
async function measure(colliding: FileCollision, count: number): Promise<Cost[]> {
  const { id } = await daemon.client.call(createUser, {});
  const file = fileOf(colliding, count);
  return [
    await measured(id, file, 'merge'),
    await measured(id, file, 'replace'),
    await measured(id, fileOf(colliding, count, count), 'replace'),
  ];
}

const measured = (userId: string, file: string, mode: string): Promise<Cost> =>
  daemon.costOf(async () => expect(['success', 'partial']).toContain(await upload(userId, file, mode)));

/** Sends a file and waits for its run's end. */
async function upload(userId: string, file: string, mode: string): Promise<string> {
  const headers = { 'X-Service-API-Key': daemon.apiKey };
  const form = new FormData();
  form.set('file', new Blob([file]), 'export.xml');
  const path = `${daemon.url}/api/v1/users/${userId}/import/apple/xml/direct?mode=${mode}`;
  const answer = await fetch(path, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(200);
  const { run_id: runId } = (await answer.json()) as { run_id: string };
  // Waits longer between requests, because each response takes time of the main thread that this test measures.
  for (let waitMs = 100; ; waitMs *= 1.5) {
    const response = await fetch(`${daemon.url}/api/v1/sync/runs/${runId}`, { headers });
    const run = (await response.json()) as { ended_at: string | null; status: string };
    if (run.ended_at) return run.status;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
