import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanSpool } from '@healthd/daemon/ingest/files';
import type { RunRetried } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHORT_TIMING, startComposed } from '../support/composed.js';
import { storedRows } from '../support/stored-rows.js';
import { eventually, type ImportFixture, openImportFixture } from './import-fixture.js';
import { modesExport } from './import-modes-xml.js';
import { stepsExport, stepsRecord } from './import-xml.js';

let fixture: ImportFixture;
/** A service that accepts files without importing them, so that a test can change the spool. */
let door: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
  door = await openImportFixture({ role: 'api' });
});
afterAll(async () => {
  await fixture.close();
  await door.close();
});

async function retry(runId: string, at = fixture): Promise<{ status: number; body: RunRetried & { detail: string } }> {
  const response = await fetch(`${at.url}/api/v1/sync/runs/${runId}/retry`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as RunRetried & { detail: string } };
}

/** Starts a worker on the same database and spool. */
const workerOf = ({ database, spoolDir }: ImportFixture) =>
  startComposed({
    databaseUrl: database.url,
    role: 'worker',
    env: { SPOOL_DIR: spoolDir },
    settings: { jobConcurrency: 4 },
    overrides: { jobTiming: SHORT_TIMING },
  });

/** Imports a file with one invalid record. */
async function importedInPart() {
  const user = await fixture.createUser();
  const { run_id: runId, task_id: fileId } = await fixture.upload(user, stepsExport(20, stepsRecord(500, 'many')));
  const run = await fixture.ended(runId);
  expect(run.status).toBe('partial');
  // Waits for the file's row, which shows the end slightly after the run has ended.
  await eventually(async () => expect(await stateOf(fileId)).toBe('partial'));
  return { user, run, runId, fileId };
}

async function stateOf(fileId: string): Promise<string> {
  const { rows } = await fixture.pool.query('select state from import_file where id = $1', [fileId]);
  return rows[0].state;
}

async function samplesOf(user: string): Promise<{ n: number; steps: number }> {
  const { rows } = await fixture.pool.query(
    `select count(*)::int as n, sum(value) as steps from sample join health_user using (user_key) where id = $1`,
    [user],
  );
  return rows[0];
}

describe('retrying an import', () => {
  it('succeeds only with the original bytes', async () => {
    const user = await door.createUser();
    const { run_id: runId } = await door.upload(user, stepsExport(20));
    const [name = ''] = await door.spooled();
    const path = join(door.spoolDir, name);
    const right = await readFile(path);
    const wrong = Buffer.from(right);
    wrong[right.length - 20] = (wrong[right.length - 20] ?? 0) ^ 1;
    await writeFile(path, wrong);
    const worker = await workerOf(door);
    try {
      const run = await door.ended(runId);
      expect(run).toMatchObject({ status: 'failed', metadata: { reason: 'spool_file_damaged' } });
      expect(run.error).toMatch(/damaged/);
      const { rows } = await door.pool.query('select count(*)::int as n from sample');
      expect(rows[0].n).toBe(0);
      await writeFile(path, right);
      const { status, body } = await retry(runId, door);
      expect(status).toBe(202);
      expect(body).toMatchObject({ status: 'in_progress', retry_of: runId, user_id: user });
      const again = await door.ended(body.run_id);
      expect(again).toMatchObject({ status: 'success', metadata: { retry_of: runId, filename: 'export.xml' } });
      expect((await door.pool.query('select count(*)::int as n from sample')).rows[0].n).toBe(20);
      expect(await door.read(`/api/v1/sync/runs/${runId}`)).toEqual(run);
      await eventually(async () => expect(await door.spooled()).toEqual([]));
    } finally {
      await worker.stop();
    }
  });

  it('stores a partly stored import without duplicates', async () => {
    const { user, run, runId } = await importedInPart();
    const before = await storedRows(fixture.pool, user);
    const first = await retry(runId);
    expect(first.status).toBe(202);
    const second = await fixture.ended(first.body.run_id);
    expect(second).toMatchObject({ status: 'partial', metadata: { retry_of: runId, reason: 'items_rejected' } });
    expect(second.metadata.report).toMatchObject({ stored: { samples: { inserted: 0, updated: 0, unchanged: 20 } } });
    expect(await storedRows(fixture.pool, user)).toEqual(before);
    expect(await fixture.read(`/api/v1/sync/runs/${runId}`)).toEqual(run);

    expect(await retry(runId)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(second.run_id) } });
    const third = await retry(second.run_id);
    expect(third.status).toBe(202);
    expect((await fixture.ended(third.body.run_id)).status).toBe('partial');
    expect(await storedRows(fixture.pool, user)).toEqual(before);
  });

  it("keeps a newer file's data", async () => {
    const { user, runId } = await importedInPart();
    const newer = await fixture.upload(user, stepsExport(0, stepsRecord(3, '77')));
    expect((await fixture.ended(newer.run_id)).status).toBe('success');
    // Without an ID, a record with another value is a different item.
    expect(await samplesOf(user)).toEqual({ n: 21, steps: 277 });
    const { body } = await retry(runId);
    expect((await fixture.ended(body.run_id)).status).toBe('partial');
    expect(await samplesOf(user)).toEqual({ n: 21, steps: 277 });
  });

  it('is rejected with the ID of a newer import in mode replace', async () => {
    const { user, runId } = await importedInPart();
    const newer = await fixture.upload(user, modesExport([stepsRecord(0)], '2026-03-01T12:00:00Z'), {
      query: '?mode=replace',
    });
    expect(await fixture.ended(newer.run_id)).toMatchObject({ status: 'success', metadata: { report: { gone: 19 } } });
    expect(await retry(runId)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(newer.run_id) } });
    expect(await samplesOf(user)).toEqual({ n: 1, steps: 10 });
  });

  it.each(['cancelled', 'failed'])('is rejected after a newer replacement whose retry ended as %s', async (status) => {
    const { user, runId } = await importedInPart();
    const broken = modesExport([stepsRecord(0), stepsRecord(500, 'many')], '2026-03-01T12:00:00Z');
    const newer = await fixture.upload(user, broken, { query: '?mode=replace' });
    expect(await fixture.ended(newer.run_id)).toMatchObject({
      status: 'partial',
      metadata: { report: { gone: 19 } },
    });
    const again = await retry(newer.run_id);
    await fixture.ended(again.body.run_id);
    // Simulates a retry that ended before it removed anything.
    await fixture.pool.query('update sync_run set status = $2 where run_id = $1', [again.body.run_id, status]);
    await fixture.pool.query("update import_file set state = 'failed' where run_id = $1", [again.body.run_id]);
    expect(await retry(runId)).toMatchObject({ status: 409 });
    expect(await samplesOf(user)).toEqual({ n: 1, steps: 10 });
  });

  it('is accepted after a newer import in mode replace that removed nothing', async () => {
    const { user, runId } = await importedInPart();
    const newer = await fixture.upload(user, stepsExport(0, stepsRecord(0)), { query: '?mode=replace' });
    expect(await fixture.ended(newer.run_id)).toMatchObject({ metadata: { reason: 'export_date_missing' } });
    expect((await retry(runId)).status).toBe(202);
  });

  it('creates one run for five concurrent retries', async () => {
    const { user, runId } = await importedInPart();
    const responses = await Promise.all(Array.from({ length: 5 }, () => retry(runId)));
    const retries = new Set(responses.flatMap(({ status, body }) => (status === 202 ? [body.run_id] : [])));
    expect(retries.size).toBe(1);
    for (const { status, body } of responses) {
      if (status !== 202) expect(body.detail).toContain([...retries][0]);
    }
    await fixture.ended([...retries][0] ?? '');
    const { rows } = await fixture.pool.query(
      'select count(*)::int as n from sync_run join health_user using (user_key) where id = $1',
      [user],
    );
    expect(rows[0].n).toBe(2);
  });

  it('is rejected for an open, successful or cancelled run', async () => {
    const user = await door.createUser();
    const { run_id: waiting } = await door.upload(user, stepsExport(1));
    expect(await retry(waiting, door)).toMatchObject({ status: 409 });
    await door.runs.finish(waiting, { stage: 'cancelled', status: 'cancelled' });
    expect(await retry(waiting, door)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('cancelled') },
    });
    const whole = await fixture.upload(await fixture.createUser(), stepsExport(1));
    await fixture.ended(whole.run_id);
    expect(await retry(whole.run_id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('succeeded') },
    });
    expect(await retry('xml_0')).toMatchObject({ status: 404 });
  });

  it('responds 410 if the file was cleaned up or is missing', async () => {
    const cleaned = await importedInPart();
    await fixture.pool.query("update import_file set finished_at = now() - interval '8 days' where id = $1", [
      cleaned.fileId,
    ]);
    expect(await cleanSpool(fixture)).toBe(1);
    expect(await retry(cleaned.runId)).toMatchObject({
      status: 410,
      body: { detail: expect.stringContaining('was deleted. Upload') },
    });
    const missing = await importedInPart();
    await rm(join(fixture.spoolDir, `import-${missing.fileId}`));
    expect(await retry(missing.runId)).toMatchObject({ status: 410 });
  });

  it('responds 410 or completes if the spool is cleaned concurrently', async () => {
    const { runId, fileId } = await importedInPart();
    await fixture.pool.query("update import_file set finished_at = now() - interval '8 days' where id = $1", [fileId]);
    const [response] = await Promise.all([retry(runId), cleanSpool(fixture)]);
    if (response.status === 410) return;
    expect(response.status).toBe(202);
    expect((await fixture.ended(response.body.run_id)).status).toBe('partial');
  });
});
