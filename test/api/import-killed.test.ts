import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import type { SyncRun } from '@healthd/schemas';
import { generateExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceProgram } from '../support/source-program.js';
import { type StoredTable, storedRows } from '../support/stored-rows.js';
import { eventually, type ImportFixture, openImportFixture } from './import-fixture.js';

const program = await sourceProgram(fileURLToPath(new URL('./import-worker.ts', import.meta.url)));

describe('an interrupted import', () => {
  let fixture: ImportFixture;
  let xml: Buffer;
  let undisturbed: Record<string, StoredTable>;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    fixture = await openImportFixture({ role: 'api' });
    xml = await buffer(generateExport({ days: 120, density: 'light' }).chunks);
    const user = await fixture.createUser();
    const worker = startWorker();
    const { run_id: runId } = await fixture.upload(user, xml);
    expect((await fixture.ended(runId, 120)).status).toBe('success');
    undisturbed = await storedRows(fixture.pool, user);
    await end(worker, 'SIGKILL');
  });
  afterAll(async () => {
    for (const worker of workers) await end(worker, 'SIGKILL');
    await fixture.close();
  });

  function startWorker(): ChildProcess {
    const worker = spawn(process.execPath, [program], {
      env: { ...process.env, WORKER_POSTGRES: fixture.database.url, WORKER_SPOOL: fixture.spoolDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    workers.push(worker);
    return worker;
  }

  async function end(worker: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const exited = once(worker, 'exit');
    worker.kill(signal);
    await exited;
  }

  async function samplesOf(user: string): Promise<number> {
    const { rows } = await fixture.pool.query(
      'select count(*)::int as count from sample join health_user using (user_key) where id = $1',
      [user],
    );
    return rows[0].count;
  }

  it('uses an export that fills every table', () => {
    for (const table of ['personal_record', 'sample', 'day_value', 'day_minutes', 'sleep_session', 'workout']) {
      expect({ table, rows: undisturbed[table]?.rows }).toEqual({ table, rows: expect.any(Number) });
      expect(undisturbed[table]?.rows, table).toBeGreaterThan(0);
    }
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'stopped by %s twice, ends with the rows of an uninterrupted import',
    async (signal) => {
      const user = await fixture.createUser();
      const { run_id: runId } = await fixture.upload(user, xml);
      const storedBefore: number[] = [];
      for (const share of [0.15, 0.6]) {
        const worker = startWorker();
        const enough = (undisturbed.sample?.rows ?? 0) * share;
        await eventually(async () => expect(await samplesOf(user)).toBeGreaterThan(enough), 120);
        await end(worker, signal);
        storedBefore.push(await samplesOf(user));
        const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
        expect({ status: run.status, ended: run.ended_at }).toEqual({ status: 'in_progress', ended: null });
      }
      for (const rows of storedBefore) expect(rows).toBeLessThan(undisturbed.sample?.rows ?? 0);
      const survivor = startWorker();
      const run = await fixture.ended(runId, 120);
      expect(run.status).toBe('success');
      expect((run.metadata.report as ImportReport).stored.samples?.unchanged).toBeGreaterThan(0);
      expect(await storedRows(fixture.pool, user)).toEqual(undisturbed);
      await eventually(async () => expect(await fixture.spooled()).toEqual([]));
      await end(survivor, 'SIGTERM');
    },
  );
});
