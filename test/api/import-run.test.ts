import { utimes, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { acceptImport, cleanSpool, type ImportReport } from '@healthd/daemon/ingest/files';
import { MS_PER_HOUR } from '@healthd/model';
import type { SyncRun, SyncRunSummary, SyncStatusEvent } from '@healthd/schemas';
import { generateExport, zipBytes } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedRows } from '../support/stored-rows.js';
import { eventually, type ImportFixture, openImportFixture } from './import-fixture.js';
import { stepsExport, stepsRecord } from './import-xml.js';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

/** Imports a file for a new user and waits until the import ends. */
async function imported(content: Buffer | string, filename?: string) {
  const user = await fixture.createUser();
  const { run_id: runId, task_id: fileId } = await fixture.upload(user, content, { filename });
  const run = await fixture.ended(runId);
  return { user, run, fileId, report: run.metadata.report as ImportReport };
}

async function fileState(id: string): Promise<{ state: string; deleted: boolean }> {
  const { rows } = await fixture.pool.query(
    'select state, file_deleted_at is not null as deleted from import_file where id = $1',
    [id],
  );
  return rows[0];
}

describe('an imported export', () => {
  it('is stored completely exactly once', async () => {
    const { chunks, truth } = generateExport({ days: 10, density: 'light' });
    const xml = await buffer(chunks);
    const { user, run, fileId, report } = await imported(xml, 'Export.xml');
    expect(run).toMatchObject({ stage: 'completed', status: 'success', progress: 1, error: null, items_total: null });
    expect(run.metadata).toMatchObject({ filename: 'Export.xml', byte_size: xml.length });
    expect(report).toMatchObject({ format: 'xml', truncated: false, bytes: xml.length, rejected: { total: 0 } });
    expect(report.samples_by_type.steps).toBe(truth.recordCounts.HKQuantityTypeIdentifierStepCount);
    expect(report.elements.Workout).toBe(truth.workouts.length);
    const before = await storedRows(fixture.pool, user);
    expect(before.sample?.rows).toBe(report.stored.samples?.inserted);
    await eventually(async () => expect(await fileState(fileId)).toEqual({ state: 'done', deleted: true }));
    expect(await fixture.spooled()).toEqual([]);

    const again = await fixture.ended(
      (await fixture.upload(user, gzipSync(xml), { filename: 'export.xml.gz' })).run_id,
    );
    const second = again.metadata.report as ImportReport;
    expect(again.status).toBe('success');
    expect(second.format).toBe('gzip');
    for (const [collection, counts] of Object.entries(second.stored)) {
      expect({ collection, ...counts }).toMatchObject({ collection, inserted: 0, updated: 0 });
    }
    expect(await storedRows(fixture.pool, user)).toEqual(before);
  });

  it('is repeated after a database interruption', async () => {
    await fixture.pool.query(`create function refuse_sample() returns trigger language plpgsql as
      'begin raise exception ''out of order for this test''; end'`);
    await fixture.pool.query(
      'create trigger refuse before insert on sample for each row execute function refuse_sample()',
    );
    const user = await fixture.createUser();
    const { run_id: runId } = await fixture.upload(user, stepsExport(30));
    try {
      await eventually(async () => {
        const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
        expect(run).toMatchObject({ stage: 'started', status: 'in_progress', ended_at: null });
        expect(run.message).toMatch(/^Interrupted by .* restarts from the beginning\.$/);
        expect(run.retrying).toMatchObject({ reason: 'server_fault', max_attempts: 6 });
        expect(Date.parse(run.retrying?.next_try_at ?? '')).toBeGreaterThan(Date.parse(run.last_update));
        // The list is empty while the next attempt runs.
        const waiting = await fixture.read<SyncRunSummary[]>(`/api/v1/users/${user}/sync/runs?retrying=true`);
        expect(waiting).toMatchObject([{ run_id: runId, retrying: { attempt: expect.any(Number) } }]);
      });
    } finally {
      await fixture.pool.query('drop trigger refuse on sample; drop function refuse_sample');
    }
    const run = await fixture.ended(runId);
    expect(run).toMatchObject({ status: 'success', items_processed: 30, message: 'The export was imported.' });
    expect(run.retrying).toBeNull();
    expect((await storedRows(fixture.pool, user)).sample?.rows).toBe(30);
  });

  it('lists the steps of its run, newest first', async () => {
    const { user, run } = await imported(stepsExport(50));
    const events = await fixture.read<SyncStatusEvent[]>(`/api/v1/users/${user}/sync/recent`);
    const steps = events.map(({ stage, status }) => `${stage}/${status}`).reverse();
    expect(steps[0]).toBe('queued/in_progress');
    expect(steps[1]).toBe('started/in_progress');
    expect(steps.at(-1)).toBe('completed/success');
    expect(new Set(steps.slice(2, -1))).toEqual(new Set(['processing/in_progress']));
    expect(events[0]).toMatchObject({ run_id: run.run_id, user_id: user, started_at: null, ended_at: run.ended_at });
    const [summary] = await fixture.read<SyncRunSummary[]>(`/api/v1/users/${user}/sync/runs`);
    expect(summary).toMatchObject({ run_id: run.run_id, items_processed: 50, started_at: expect.any(String) });
    expect(summary).not.toHaveProperty('metadata');
  });

  it('may be the zip that phones create', async () => {
    const xml = Buffer.from(stepsExport(20));
    const cda = Buffer.from('<ClinicalDocument/>');
    const entries = [
      { name: 'apple_health_export/export_cda.xml', content: cda },
      { name: 'apple_health_export/Exportieren.xml', content: xml },
    ];
    const { run, report } = await imported(await buffer(zipBytes(entries)), 'export.zip');
    expect(run.status).toBe('success');
    expect(report).toMatchObject({ format: 'zip', samples_by_type: { steps: 20 } });
    expect(report.unsupported_files).toEqual({ clinical_documents: 1 });
  });

  it('lists unsupported types with their counts, without file names', async () => {
    const mindful = '<Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="A"/>';
    const route = '<Workout workoutActivityType="x"><WorkoutRoute sourceName="A"/></Workout>';
    const xml = `<HealthData>${mindful.repeat(3)}${'<ActivitySummary/>'.repeat(2)}<Correlation/>${route}</HealthData>`;
    const entries = [
      { name: 'apple_health_export/electrocardiograms/Dr. Nowak.csv', content: Buffer.from('a') },
      { name: 'apple_health_export/workout-routes/home.gpx', content: Buffer.from('a') },
      { name: 'apple_health_export/export.xml', content: Buffer.from(xml) },
    ];
    const { run, report } = await imported(await buffer(zipBytes(entries)), 'export.zip');
    expect(report).toMatchObject({
      unsupported: { HKCategoryTypeIdentifierMindfulSession: 3 },
      unsupported_elements: { ActivitySummary: 2, 'Workout/WorkoutRoute': 1 },
      unsupported_files: { electrocardiograms: 1, workout_routes: 1 },
      contents: {
        elements: expect.arrayContaining([
          { name: 'Record', read: 3, imported: 0, rejected: 0, not_imported: { no_series: 3 } },
          { name: 'ActivitySummary', read: 2, imported: 0, rejected: 0, not_imported: { repeated: 2 } },
        ]),
        files: expect.arrayContaining([
          { name: 'electrocardiograms', read: 1, imported: 0, rejected: 0, not_imported: { no_waveform: 1 } },
        ]),
      },
    });
    expect(JSON.stringify(run)).not.toMatch(/Nowak|home/);
  });

  it('is partial with all preceding data if the file is cut off', async () => {
    const xml = stepsExport(100);
    const { run, report } = await imported(xml.slice(0, xml.indexOf(stepsRecord(60)) + 40));
    expect(run).toMatchObject({
      stage: 'completed',
      status: 'partial',
      error: null,
      metadata: { reason: 'truncated' },
    });
    expect(report).toMatchObject({ truncated: true, samples_by_type: { steps: 60 } });
  });

  it('with rejected items explains the rejections without values', async () => {
    const value = '73secret37';
    const { run, report, user } = await imported(stepsExport(5, stepsRecord(9, value)));
    expect(run).toMatchObject({ status: 'partial', metadata: { reason: 'items_rejected' } });
    expect(report.rejected).toMatchObject({ total: 1, first: [{ collection: 'Record', index: 0 }] });
    expect(report.samples_by_type.steps).toBe(5);
    const shown = await fixture.read(`/api/v1/users/${user}/sync/recent`);
    expect(JSON.stringify([run, shown])).not.toContain(value);
  });
});

describe('a bad file', () => {
  const opening = stepsExport(0).replace('</HealthData>', '');
  const bomb = (size: number) => Buffer.concat([Buffer.from(opening), Buffer.alloc(size, 0x20)]);
  const entity = '<!DOCTYPE HealthData [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  const cases: [string, string, () => Buffer | string | Promise<Buffer>][] = [
    ['is XML of another kind', 'not_an_export', () => '<?xml version="1.0"?><gpx><trk/></gpx>'],
    [
      'is a zip without an export',
      'zip_without_export',
      () => buffer(zipBytes([{ name: 'photo.jpg', content: Buffer.from('no export') }])),
    ],
    ['is a zip bomb', 'ratio_exceeded', () => buffer(zipBytes([{ name: 'export.xml', content: bomb(64 * 2 ** 20) }]))],
    ['is a gzip bomb', 'ratio_exceeded', () => gzipSync(bomb(64 * 2 ** 20))],
    ['is damaged inside', 'archive_damaged', () => damaged(gzipSync(Buffer.from(stepsExport(3000))))],
    [
      'is an entity bomb',
      'entity_undefined',
      () => stepsExport(1).replace('<HealthData', `${entity}<HealthData`).replace('"Phone"', '"&b;"'),
    ],
    [
      'has an attribute of 100 MB',
      'attribute_too_long',
      () => stepsExport(1).replace('"Phone"', `"${'x'.repeat(100 * 2 ** 20)}"`),
    ],
    ['is in UTF-16', 'encoding_unsupported', () => Buffer.from(`\ufeff${stepsExport(1)}`, 'utf16le')],
  ];

  it.each(cases)('fails only its own run if it %s: %s', async (_, reason, content) => {
    const samples = await fixture.count('sample');
    const { run, fileId } = await imported(await content());
    expect(await fixture.count('sample')).toBe(samples);
    expect(run).toMatchObject({ stage: 'failed', status: 'failed', metadata: { reason } });
    expect(run.error?.length).toBeGreaterThan(20);
    await eventually(async () => expect(await fileState(fileId)).toEqual({ state: 'failed', deleted: false }));
  });

  it('does not block the next import', async () => {
    expect((await imported(stepsExport(3))).run.status).toBe('success');
  });
});

describe('the spool', () => {
  it('keeps the file of a failed import for a week', async () => {
    const { fileId } = await imported('<nothing/>');
    const name = fixture.spool.nameOf(fileId);
    await eventually(async () => expect((await fileState(fileId)).state).toBe('failed'));
    await cleanSpool(fixture);
    expect(await fixture.spooled()).toContain(name);
    await fixture.pool.query("update import_file set finished_at = now() - interval '8 days' where id = $1", [fileId]);
    await cleanSpool(fixture);
    expect(await fixture.spooled()).not.toContain(name);
    expect((await fileState(fileId)).deleted).toBe(true);
  });

  it('deletes only unneeded files, after an hour', async () => {
    const orphan = fixture.spool.nameOf(crypto.randomUUID());
    const young = fixture.spool.nameOf(crypto.randomUUID());
    for (const name of [orphan, young, 'notes.txt']) await writeFile(`${fixture.spoolDir}/${name}`, 'x');
    const old = new Date(Date.now() - 2 * MS_PER_HOUR);
    for (const name of [orphan, 'notes.txt']) await utimes(`${fixture.spoolDir}/${name}`, old, old);
    await cleanSpool(fixture);
    const left = await fixture.spooled();
    expect(left).toEqual(expect.arrayContaining([young, 'notes.txt']));
    expect(left).not.toContain(orphan);
  });

  it('fails the run with an error if the spool is not shared', async () => {
    const user = await fixture.createUser();
    const run = await fixture.ended(await acceptedElsewhere(user));
    expect(run).toMatchObject({ status: 'failed', metadata: { reason: 'spool_file_missing' } });
    expect(run.error).toContain('SPOOL_DIR');
  });
});

/** Inserts the row of a received file whose bytes are in another folder. */
async function acceptedElsewhere(user: string): Promise<string> {
  const { pool, runs, spool } = fixture;
  const { rows } = await pool.query('select user_key from health_user where id = $1', [user]);
  const id = crypto.randomUUID();
  const file = { id, filename: 'x', spoolName: spool.nameOf(id), byteSize: 1, sha256: Buffer.alloc(32) };
  return acceptImport({ pool, runs, spool }, { id: user, userKey: rows[0].user_key }, 'apple', file, {
    mode: 'merge',
    dryRun: false,
  });
}

describe('imports of one user', () => {
  it('run sequentially in order of arrival', async () => {
    const user = await fixture.createUser();
    const uploads = [];
    for (const count of [4000, 2000, 1000]) uploads.push(await fixture.upload(user, stepsExport(count)));
    const runs: SyncRun[] = [];
    for (const { run_id: id } of uploads) runs.push(await fixture.ended(id));
    const times = runs.flatMap(({ started_at: from, ended_at: to }) => [from, to]);
    expect(times).toEqual(times.toSorted());
    const reports = runs.map(({ metadata }) => metadata.report as ImportReport);
    expect(reports.map(({ stored }) => stored.samples?.inserted)).toEqual([4000, 0, 0]);
  });

  it('leave no file behind if the user is deleted', async () => {
    const user = await fixture.createUser();
    const { chunks } = generateExport({ days: 200, density: 'light' });
    const { task_id: fileId, run_id: runId } = await fixture.upload(user, await buffer(chunks));
    await eventually(async () => {
      expect((await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`)).stage).toBe('processing');
    });
    await fixture.pool.query('delete from health_user where id = $1', [user]);
    await eventually(async () => expect(await fixture.spooled()).not.toContain(fixture.spool.nameOf(fileId)), 20);
    expect((await fetch(`${fixture.url}/api/v1/sync/runs/${runId}`)).status).toBe(404);
  });
});

/** Returns a gzip whose first block has an invalid type. */
function damaged(packed: Buffer): Buffer {
  packed[10] = 0x07;
  return packed;
}
