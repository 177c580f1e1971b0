import { cleanSpool, type ImportReport } from '@healthd/daemon/ingest/files';
import { type HealthRecord, MS_PER_MINUTE, seriesTypeByCode } from '@healthd/model';
import type { ImportConfirmed, SyncRun } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRecords } from '../support/recorded-user.js';
import { storedRows } from '../support/stored-rows.js';
import { eventually, type ImportFixture, openImportFixture } from './import-fixture.js';
import { asleepAt, energyAt, modesExport, recordAt, runAt } from './import-modes-xml.js';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const LATER = '2026-03-01T12:00:00Z';

async function imported(user: string, xml: string, query = ''): Promise<SyncRun> {
  return fixture.ended((await fixture.upload(user, xml, { query })).run_id);
}

async function confirm(
  runId: string,
  at = fixture,
): Promise<{ status: number; body: ImportConfirmed & { detail: string } }> {
  const response = await fetch(`${at.url}/api/v1/sync/runs/${runId}/confirm`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as ImportConfirmed & { detail: string } };
}

function reportOf({ metadata }: SyncRun): ImportReport {
  return metadata.report as ImportReport;
}

/** Returns the number and sum of a series' stored samples, and the sum that summaries read. */
async function stored(user: string, code: string): Promise<{ n: number; sum: number; days: number }> {
  const typeId = seriesTypeByCode(code)?.id;
  const { rows } = await fixture.pool.query(
    `select (select count(*)::int from sample s where s.user_key = u.user_key and type_id = $2) as n,
            (select coalesce(sum(value), 0) from sample s where s.user_key = u.user_key and type_id = $2) as sum,
            (select coalesce(sum(sample_sum), 0) from day_value d where d.user_key = u.user_key and type_id = $2) as days
       from health_user u where id = $1`,
    [user, typeId],
  );
  return rows[0];
}

async function userKeyOf(user: string): Promise<number> {
  const { rows } = await fixture.pool.query('select user_key from health_user where id = $1', [user]);
  return rows[0].user_key;
}

/** Pushes a phone's item with an ID and with the file's source. */
async function push(user: string, start: string, value: number, seconds = 60, code = 'steps'): Promise<void> {
  const startMs = Date.parse(start);
  const record: HealthRecord = {
    kind: 'sample',
    sampleKind: 'sample',
    typeId: seriesTypeByCode(code)?.id ?? 0,
    startMs,
    value,
    durationMs: seconds * 1000,
    offsetMinutes: 60,
    externalId: `pushed ${start}`,
    source: { provider: 'apple', writer: 'Phone', deviceType: 'unknown' },
  };
  await writeRecords(fixture, await userKeyOf(user), [record]);
}

const minute = (index: number) => new Date(Date.parse('2026-01-05T07:00:00Z') + index * MS_PER_MINUTE).toISOString();

/** A workout in 20 pieces of 3 s with 30 kcal in total. */
const WORKOUT_IN_PIECES = Array.from({ length: 20 }, (_, index) =>
  energyAt(new Date(Date.parse(minute(0)) + index * 3000).toISOString(), 3, 1.5),
);

/** Returns records with ten steps in each of these minutes. */
const stepsIn = (...minutes: number[]) => minutes.map((index) => recordAt(minute(index)));

describe('an import in mode replace', () => {
  it('replaces the pieces of a workout that a newer export condensed', async () => {
    const user = await fixture.createUser();
    await imported(user, modesExport(WORKOUT_IN_PIECES, LATER));
    const newer = modesExport([energyAt(minute(0), 60, 28.5)], LATER);
    await imported(user, newer);
    expect(await stored(user, 'energy')).toMatchObject({ n: 21, sum: 58.5 });
    const run = await imported(user, newer, '?mode=replace');
    expect(run).toMatchObject({ status: 'success', metadata: { mode: 'replace', dry_run: false } });
    expect(await stored(user, 'energy')).toEqual({ n: 1, sum: 28.5, days: 28.5 });
    expect(reportOf(run)).toMatchObject({ gone: 20, changes: { energy: { '2026-01': { gone: 20 } } } });
  });

  it('removes data deleted on the phone, idempotently', async () => {
    const user = await fixture.createUser();
    const other = await fixture.createUser();
    const water = (amount: number) =>
      recordAt(minute(9), { type: 'HKQuantityTypeIdentifierDietaryWater', unit: 'mL', seconds: 0, value: amount });
    await imported(user, modesExport([...stepsIn(0, 1, 2, 3), water(250), water(300)], LATER));
    const newer = modesExport([...stepsIn(0, 2, 3, 4), water(250)], LATER);
    const run = await imported(user, newer, '?mode=replace');
    expect(reportOf(run).changes).toEqual({
      hydration: { '2026-01': { gone: 1 } },
      steps: { '2026-01': { new: 1, gone: 1 } },
    });
    await imported(other, newer);
    const once = await storedRows(fixture.pool, user);
    expect(once).toEqual(await storedRows(fixture.pool, other));
    const again = await imported(user, newer, '?mode=replace');
    expect(reportOf(again)).toMatchObject({ gone: 0, changes: {} });
    expect(await storedRows(fixture.pool, user)).toEqual(once);
  });

  it('keeps pushed data in mode replace, even if imported first', async () => {
    const user = await fixture.createUser();
    await imported(user, modesExport(stepsIn(0, 1, 2, 3), LATER));
    await push(user, minute(1), 10);
    await push(user, minute(20), 7);
    const run = await imported(user, modesExport(stepsIn(0, 3), LATER), '?mode=replace');
    expect(reportOf(run).gone).toBe(1);
    expect(await stored(user, 'steps')).toEqual({ n: 4, sum: 37, days: 37 });
  });

  it('does not store a condensed item next to its pushed pieces', async () => {
    const user = await fixture.createUser();
    for (const second of [0, 20, 40])
      await push(user, new Date(Date.parse(minute(0)) + second * 1000).toISOString(), 10, 20, 'energy');
    const whole = modesExport([energyAt(minute(0), 60, 30)], LATER);
    for (let time = 0; time < 2; time++) {
      await imported(user, whole, '?mode=replace');
      expect(await stored(user, 'energy')).toEqual({ n: 3, sum: 30, days: 30 });
    }
  });

  it('keeps other series, other sources and other periods', async () => {
    const user = await fixture.createUser();
    const heartRate = recordAt(minute(1), { type: 'HKQuantityTypeIdentifierHeartRate', unit: 'count/min', value: 60 });
    const fromWatch = recordAt(minute(2), { source: 'Watch' });
    await imported(user, modesExport([...stepsIn(0, 2, 4, 8), heartRate, fromWatch], LATER));
    const run = await imported(user, modesExport(stepsIn(1, 3), minute(6)), '?mode=replace');
    expect(reportOf(run).changes).toEqual({ steps: { '2026-01': { new: 2, gone: 2 } } });
    expect(await stored(user, 'steps')).toMatchObject({ n: 5, sum: 50 });
    expect(await stored(user, 'heart_rate')).toMatchObject({ n: 1 });
  });

  it.each([
    ['ends early', modesExport(stepsIn(0, 2), LATER).replace('</HealthData>', '<Record'), 'truncated'],
    ['has no export date', modesExport(stepsIn(0, 2)), 'export_date_missing'],
  ])('removes nothing with a file that %s', async (_, xml, reason) => {
    const user = await fixture.createUser();
    await imported(user, modesExport(stepsIn(0, 1), LATER));
    const run = await imported(user, xml, '?mode=replace');
    expect(run).toMatchObject({ status: 'partial', metadata: { reason } });
    expect(run.message).toContain('Nothing was removed');
    expect(await stored(user, 'steps')).toMatchObject({ n: 3 });
  });

  it('removes missing sessions in mode replace, but keeps pushed sessions', async () => {
    const user = await fixture.createUser();
    const night = (day: number) => asleepAt(`2026-01-0${day}T22:00:00Z`, 8);
    const run = (day: number) => runAt(`2026-01-0${day}T10:00:00Z`, 30);
    await imported(user, modesExport([night(5), night(6), night(7), run(5), run(6)], LATER));
    await writeRecords(fixture, await userKeyOf(user), [
      {
        kind: 'sleep_stage',
        stage: 'light',
        offsetMinutes: 60,
        startMs: Date.parse('2026-01-07T22:00:00Z'),
        endMs: Date.parse('2026-01-08T06:00:00Z'),
        source: { provider: 'apple', writer: 'Phone', deviceType: 'unknown' },
      },
    ]);
    const replaced = await imported(user, modesExport([night(5), run(5), ...stepsIn(0)], LATER), '?mode=replace');
    expect(reportOf(replaced).changes).toEqual({
      sleep_stages: { '2026-01': { gone: 1 } },
      steps: { '2026-01': { new: 1 } },
      workouts: { '2026-01': { gone: 1 } },
    });
    const { rows } = await fixture.pool.query(
      `select wake_date from sleep_session join health_user u using (user_key) where u.id = $1 order by 1`,
      [user],
    );
    expect(rows.map((row) => row.wake_date)).toEqual(['2026-01-06', '2026-01-08']);
    const workouts = await fixture.pool.query(
      'select local_date from workout join health_user u using (user_key) where u.id = $1',
      [user],
    );
    expect(workouts.rows).toEqual([{ local_date: '2026-01-05' }]);
  });
});

describe('a dry run', () => {
  it('of a first file reports new items without storing them', async () => {
    const user = await fixture.createUser();
    const before = await storedRows(fixture.pool, user);
    const xml = modesExport([...stepsIn(0, 1), recordAt('2026-02-03T07:00:00Z'), runAt(minute(60), 30)], LATER);
    const accepted = await fixture.upload(user, xml, { query: '?dry_run=true' });
    const run = await fixture.ended(accepted.run_id);
    expect(run).toMatchObject({ status: 'success', metadata: { mode: 'merge', dry_run: true } });
    expect(reportOf(run).changes).toEqual({
      steps: { '2026-01': { new: 2 }, '2026-02': { new: 1 } },
      workouts: { '2026-01': { new: 1 } },
    });
    expect(await storedRows(fixture.pool, user)).toEqual(before);
    expect(await fixture.spooled()).toContain(`import-${accepted.task_id}`);
    const connections = `select 1 from connection join health_user u using (user_key) where u.id = $1`;
    expect((await fixture.pool.query(connections, [user])).rows).toEqual([]);
  });

  it.each(['merge', 'replace'])('in mode %s predicts the confirmed import', async (mode) => {
    const user = await fixture.createUser();
    const night = asleepAt('2026-01-06T22:00:00Z', 8);
    await imported(user, modesExport([...WORKOUT_IN_PIECES, ...stepsIn(0, 1, 2), night, runAt(minute(90), 30)], LATER));
    await push(user, minute(7), 3);
    const before = await storedRows(fixture.pool, user);
    const newer = modesExport(
      [energyAt(minute(0), 60, 28.5), ...stepsIn(0, 2, 5), asleepAt('2026-01-07T22:00:00Z', 8), runAt(minute(300), 30)],
      LATER,
    );
    const dry = await imported(user, newer, `?mode=${mode}&dry_run=true`);
    expect(await storedRows(fixture.pool, user)).toEqual(before);
    const { changes } = reportOf(dry);
    const deletion = mode === 'replace' ? { gone: 20 } : {};
    expect(changes).toMatchObject({ energy: { '2026-01': { new: 1, ...deletion } } });
    const { status, body } = await confirm(dry.run_id);
    expect(status).toBe(202);
    expect(body).toMatchObject({ confirms: dry.run_id, user_id: user, status: 'in_progress' });
    const run = await fixture.ended(body.run_id);
    expect(run).toMatchObject({ status: 'success', metadata: { mode, dry_run: false, confirms: dry.run_id } });
    if (mode === 'replace') expect(reportOf(run).changes).toEqual(changes);
    const count = ({ stored: one }: ImportReport) => one.samples;
    expect(count(reportOf(run))).toEqual(count(reportOf(dry)));
    expect(run.metadata.items).toEqual(dry.metadata.items);
    expect(await confirm(dry.run_id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(body.run_id) },
    });
    const fileQuery = 'select 1 from import_file where run_id = $1 and file_deleted_at is null';
    await eventually(async () => expect((await fixture.pool.query(fileQuery, [body.run_id])).rowCount).toBe(0));
  });
});

describe('confirming a dry run', () => {
  async function comparedFile(): Promise<{ user: string; runId: string; fileId: string }> {
    const user = await fixture.createUser();
    const { run_id: runId, task_id: fileId } = await fixture.upload(user, modesExport(stepsIn(0, 1), LATER), {
      query: '?dry_run=true',
    });
    expect((await fixture.ended(runId)).status).toBe('success');
    // Waits for the file's row, which shows the end slightly after the run has ended.
    const state = async () =>
      (await fixture.pool.query('select state from import_file where id = $1', [fileId])).rows[0].state;
    await eventually(async () => expect(await state()).toBe('awaiting_confirmation'));
    return { user, runId, fileId };
  }

  it('imports the file once despite five concurrent confirmations', async () => {
    const { user, runId } = await comparedFile();
    const responses = await Promise.all(Array.from({ length: 5 }, () => confirm(runId)));
    const runs = new Set(responses.flatMap(({ status, body }) => (status === 202 ? [body.run_id] : [])));
    expect(runs.size).toBe(1);
    for (const { status } of responses) expect([202, 409]).toContain(status);
    expect((await fixture.ended([...runs][0] ?? '')).status).toBe('success');
    expect(await stored(user, 'steps')).toMatchObject({ n: 2 });
  });

  it("works before the dry run's file is marked as finished", async () => {
    const { user, runId, fileId } = await comparedFile();
    await fixture.pool.query("update import_file set state = 'received', finished_at = null where id = $1", [fileId]);
    const { status, body } = await confirm(runId);
    expect(status, JSON.stringify(body)).toBe(202);
    expect((await fixture.ended(body.run_id)).status).toBe('success');
    expect(await stored(user, 'steps')).toMatchObject({ n: 2 });
  });

  it("responds 410 once the dry run's file is deleted after an hour", async () => {
    const { runId, fileId } = await comparedFile();
    const endedAgo = (minutes: number) =>
      fixture.pool.query("update import_file set finished_at = now() - $2 * interval '1 minute' where id = $1", [
        fileId,
        minutes,
      ]);
    await endedAgo(59);
    await cleanSpool(fixture);
    expect(await fixture.spooled()).toContain(`import-${fileId}`);
    await endedAgo(61);
    await cleanSpool(fixture);
    expect(await fixture.spooled()).not.toContain(`import-${fileId}`);
    expect(await confirm(runId)).toMatchObject({ status: 410, body: { detail: expect.stringContaining('Upload') } });
  });

  it('is rejected after another import, but not after a push', async () => {
    const { user, runId } = await comparedFile();
    await push(user, minute(5), 5);
    await imported(user, modesExport(stepsIn(7), LATER));
    expect(await confirm(runId)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('outdated') } });
    expect(await stored(user, 'steps')).toMatchObject({ n: 2 });
    const pushed = await comparedFile();
    await push(pushed.user, minute(5), 5);
    expect((await confirm(pushed.runId)).status).toBe(202);
  });

  it('works despite a later dry run of a different file', async () => {
    const user = await fixture.createUser();
    await imported(user, modesExport(stepsIn(0, 1, 2), LATER));
    const dry = await imported(user, modesExport(stepsIn(0, 1), LATER), '?mode=replace&dry_run=true');
    await imported(user, modesExport(stepsIn(0), LATER), '?mode=replace&dry_run=true');
    const { body } = await confirm(dry.run_id);
    expect(await fixture.ended(body.run_id)).toMatchObject({ status: 'success' });
    expect(await stored(user, 'steps')).toMatchObject({ n: 2 });
  });

  it('is rejected for a normal or unknown run', async () => {
    const user = await fixture.createUser();
    const run = await imported(user, modesExport(stepsIn(0), LATER));
    expect(await confirm(run.run_id)).toMatchObject({ status: 409 });
    expect((await confirm('xml_0')).status).toBe(404);
  });

  it('is rejected for an open or failed dry run', async () => {
    const door = await openImportFixture({ role: 'api' });
    try {
      const { run_id: waiting } = await door.upload(await door.createUser(), modesExport([]), {
        query: '?dry_run=true',
      });
      expect(await confirm(waiting, door)).toMatchObject({ status: 409 });
    } finally {
      await door.close();
    }
    const failed = await imported(await fixture.createUser(), '<?xml version="1.0"?><Other/>', '?dry_run=true');
    expect(failed.status).toBe('failed');
    expect((await confirm(failed.run_id)).status).toBe(409);
  });
});

it('rejects an upload with an unknown mode', async () => {
  const user = await fixture.createUser();
  await expect(fixture.upload(user, modesExport([]), { query: '?mode=overwrite' })).rejects.toThrow(/422.*mode/);
});
