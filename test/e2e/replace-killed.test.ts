import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import { createPool } from '@healthd/daemon/platform/database';
import { runningEmbeddedUrl } from '@healthd/embedded-postgres';
import { seriesTypeByCode } from '@healthd/model';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Daemon, inDatabase, newHome, postgresPid, startDaemon } from '../support/daemon.js';
import { type StoredTable, storedRows } from '../support/stored-rows.js';
import { ended, importFile, newUser, runNow, upload } from './imports.js';

const home = newHome();
/**
 * Two exports of the same sources and days. Their nights and nearly all readings differ. The newer export lacks sleep
 * and workouts of five days, so the older nights and workouts remain until the replacement deletes them.
 */
const [older, newer] = [join(home.folder, 'older.xml'), join(home.folder, 'newer.xml')];
const REPLACE = '?mode=replace';
let daemon: Daemon;
/** Result of a replacement without interruptions. */
let calm: { rows: Record<string, StoredTable>; report: ImportReport };

beforeAll(async () => {
  for (const [path, seed] of [
    [older, 1],
    [newer, 2],
  ] as const)
    await writeExport(path, { seed, days: 10, endDate: '2026-04-20', density: 'light' });
  await writeFile(newer, withoutSessions(await readFile(newer, 'utf8')));
  daemon = await startDaemon({ home });
  const user = await newUser(daemon);
  await importFile(daemon, user, older);
  const report = await importFile(daemon, user, newer, REPLACE);
  calm = { rows: await rowsOf(user), report };
});
afterAll(() => daemon?.stop());

it('a repeatedly killed replacement equals an uninterrupted replacement', async () => {
  const user = await newUser(daemon);
  await importFile(daemon, user, older);
  const before = (await rowsOf(user)).sample?.rows ?? 0;

  // Locks rows that the replacement deletes, so that the deletion blocks there.
  const energy = await locked(user, `sample t where type_id = ${seriesTypeByCode('energy').id} and`);
  const inGap = "start_at > '2026-04-14' and start_at < '2026-04-16' and";
  const stages = await locked(user, `sleep_stage t where ${inGap}`);
  const workouts = await locked(user, `workout t where ${inGap}`);
  const { run_id: runId } = await upload(daemon, user, newer, REPLACE);
  await untilWaiting('sample', runId);
  await killAndStart(runId);
  await energy.release();
  await untilWaiting('sleep_stage', runId);
  await killAndStart(runId);
  await stages.release();
  await untilWaiting('workout', runId);
  await killAndStart(runId, true);
  await workouts.release();

  const run = await ended(daemon, runId, 120);
  expect(run).toMatchObject({ status: 'success', stage: 'completed', metadata: { mode: 'replace' } });
  expect((run.metadata.report as ImportReport).stored.samples?.inserted, 'it began again').toBe(0);
  expect(await rowsOf(user)).toEqual(calm.rows);
  expect(calm.report.gone, 'much of what the older file brought is gone').toBeGreaterThan(before / 2);
}, 400_000);

function withoutSessions(xml: string): string {
  const isInGap = (element: string) => /startDate="2026-04-1[3-7] /.test(element);
  return xml
    .replaceAll(/<Record type="HKCategoryTypeIdentifierSleepAnalysis"[^>]*?(?:\/>|>[\s\S]*?<\/Record>)/g, (element) =>
      isInGap(element) ? '' : element,
    )
    .replaceAll(/<Workout [\s\S]*?<\/Workout>/g, (element) => (isInGap(element) ? '' : element));
}

/** Kills the service, optionally with its database, and starts it again. */
async function killAndStart(runId: string, withDatabase = false): Promise<void> {
  expect((await runNow(daemon, runId)).ended_at).toBeNull();
  const postgres = postgresPid(home);
  await daemon.kill9();
  if (withDatabase && postgres !== undefined) process.kill(postgres, 'SIGKILL');
  daemon = await startDaemon({ home });
}

/** Locks a user's rows until they are released or the database ends. */
async function locked(user: string, rows: string): Promise<{ release(): Promise<void> }> {
  const pool = createPool({ url: (await runningEmbeddedUrl(home.dataDir)) ?? '', max: 1 });
  pool.on('error', () => undefined);
  const client = await pool.connect();
  client.on('error', () => undefined);
  await client.query('begin');
  const { rowCount } = await client.query(
    `select from ${rows} user_key = (select user_key from health_user where id = $1) for update`,
    [user],
  );
  expect(rowCount, rows).toBeGreaterThan(0);
  return {
    async release() {
      client.release(true);
      await pool.end();
    },
  };
}

/** Waits until a transaction that deletes rows is blocked by another transaction's lock. */
async function untilWaiting(table: string, runId: string): Promise<void> {
  await inDatabase(home, async (pool) => {
    for (const until = Date.now() + 100_000; Date.now() < until; ) {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query ilike 'delete from ' || $1 || ' %'`,
        [table],
      );
      if (rowCount) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { stage, message } = await runNow(daemon, runId);
    throw new Error(`the import never waits for locked rows of ${table}: ${stage}, ${message}`);
  });
}

function rowsOf(user: string): Promise<Record<string, StoredTable>> {
  return inDatabase(home, (pool) => storedRows(pool, user));
}
