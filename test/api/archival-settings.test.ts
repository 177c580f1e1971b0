import type { JobContext } from '@healthd/daemon/platform/jobs';
import { ARCHIVAL_JOB, archivalJob, archivalSweeper, archiveOldData } from '@healthd/daemon/retention';
import { batchOf, fromDayNumber, MS_PER_DAY } from '@healthd/model';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { livedDays } from '../support/lived-days.js';
import { recordWriter } from '../support/recorded-user.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const PATH = '/api/v1/settings/archival';

let service: TestService;
let developer: Call;
beforeEach(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterEach(() => service.stop());

test('archives and deletes nothing by default', async () => {
  const { status, body } = await developer('GET', PATH);
  expect(status).toBe(200);
  expect(body.settings).toEqual({ archive_after_days: null, delete_after_days: null });
  expect(body.storage).toMatchObject({
    growth_class: 'linear',
    live_row_count: 0,
    live_total_pretty: expect.any(String),
  });
  expect(await archivalSweeper({ pool: service.pool }).findUnqueued(10)).toEqual([]);
  expect((await service.call('GET', PATH)).status).toBe(401);
});

test('turns off an archival setting that the request omits', async () => {
  const put = await developer('PUT', PATH, { archive_after_days: 90, delete_after_days: 365 });
  expect(put.body).toMatchObject({
    settings: { archive_after_days: 90, delete_after_days: 365 },
    warnings: [],
    storage: { growth_class: 'bounded' },
  });
  const one = await developer('PUT', PATH, { archive_after_days: 30 });
  expect(one.body).toMatchObject({
    settings: { archive_after_days: 30, delete_after_days: null },
    storage: { growth_class: 'linear_efficient' },
  });
  expect((await developer('GET', PATH)).body.settings).toEqual(one.body.settings);
});

test('allows deletion before archival with a warning', async () => {
  const { status, body } = await developer('PUT', PATH, { archive_after_days: 90, delete_after_days: 30 });
  expect(status).toBe(200);
  expect(body.warnings).toHaveLength(1);
});

test.each([
  [{}, ['body'], 'value_error'],
  [{ archive_after_days: 0 }, ['body', 'archive_after_days'], 'greater_than_equal'],
  [{ archive_after_days: 3651 }, ['body', 'archive_after_days'], 'less_than_equal'],
  [{ delete_after_days: 7301 }, ['body', 'delete_after_days'], 'less_than_equal'],
  [{ delete_after_days: 'soon' }, ['body', 'delete_after_days'], 'float_parsing'],
])('rejects %j without changing the settings', async (sent, loc, type) => {
  await developer('PUT', PATH, { archive_after_days: 90, delete_after_days: 365 });
  const { status, body } = await developer('PUT', PATH, sent);
  expect(status).toBe(422);
  expect(body.detail).toEqual([expect.objectContaining({ loc, type })]);
  expect((await developer('GET', PATH)).body.settings).toEqual({ archive_after_days: 90, delete_after_days: 365 });
});

test('returns separate results for concurrent previews of different settings', async () => {
  const all = [
    { archive_after_days: 90, delete_after_days: 200 },
    { archive_after_days: 90, delete_after_days: 300 },
    { archive_after_days: 80, delete_after_days: 300 },
  ];
  const previews = await Promise.all(
    all.map(({ archive_after_days: archive, delete_after_days: deletion }) =>
      developer('GET', `${PATH}/preview?archive_after_days=${archive}&delete_after_days=${deletion}`),
    ),
  );
  const today = Math.floor(Date.now() / MS_PER_DAY);
  expect(previews.map(({ body }) => [body.archive.before, body.delete.before])).toEqual(
    all.map((settings) => [
      fromDayNumber(today - settings.archive_after_days),
      fromDayNumber(today - settings.delete_after_days),
    ]),
  );
});

test('plans a run after a change, after a request, and nightly', async () => {
  const { pool, priorities } = service.parts;
  const sweeper = archivalSweeper({ pool });
  expect(sweeper.name).toBe(ARCHIVAL_JOB);
  const due = [{}];
  const context: JobContext = {
    signal: new AbortController().signal,
    attempt: 1,
    touch: async () => undefined,
    again: async () => true,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  };
  await developer('PUT', PATH, { archive_after_days: 90 });
  expect(await sweeper.findUnqueued(10)).toEqual(due);
  await archivalJob({ pool, priorities }).run({}, context);
  expect(await sweeper.findUnqueued(10)).toEqual([]);
  const { rows } = await pool.query<{ next_run_at: Date }>('select next_run_at from archival_setting');
  expect(rows[0]?.next_run_at.toISOString()).toMatch(/T03:00:00.000Z$/);

  const run = await developer('POST', `${PATH}/run`);
  expect(run).toMatchObject({ status: 202, body: { status: 'dispatched', task_id: expect.any(String) } });
  expect(await sweeper.findUnqueued(10)).toEqual(due);
  await archivalJob({ pool, priorities }).run({}, context);
  await developer('PUT', PATH, { archive_after_days: null });
  expect(await sweeper.findUnqueued(10)).toEqual([]);
});

test.each([
  ['without archival', null],
  ['after archival', 5],
])('deletes only samples before the deletion limit %s', async (_, archiveAfterDays) => {
  const { pool, priorities } = service.parts;
  const nowMs = Date.now();
  const today = Math.floor(nowMs / MS_PER_DAY);
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  const userKey = (await service.users.find(id))?.userKey ?? 0;
  const writer = recordWriter({ pool });
  await writer.write(userKey, batchOf(livedDays(today - 30, 30)));
  const run = (settings: { archiveAfterDays: number | null; deleteAfterDays: number | null }) =>
    archiveOldData({ pool, priorities, settings, nowMs, log: { error: (fields) => expect(fields).toBeUndefined() } });
  if (archiveAfterDays !== null) await run({ archiveAfterDays, deleteAfterDays: null });
  const activity = async (from: number, to: number) =>
    (
      await service.call(
        'GET',
        `/api/v1/users/${id}/summaries/activity?start_date=${fromDayNumber(from)}&end_date=${fromDayNumber(to)}&limit=100`,
      )
    ).body.data;
  const summaries = await activity(today - 10, today + 1);
  const { storage } = (await developer('GET', PATH)).body;
  const { rows: live } = await pool.query('select count(*)::int as n from sample');
  expect(storage).toMatchObject({
    live_row_count: live[0].n,
    avg_bytes_per_live_row: Math.round((10 * (storage.live_data_bytes + storage.live_index_bytes)) / live[0].n) / 10,
  });
  const { rows: before } = await pool.query('select count(*) from sleep_session');

  const outcome = await run({ archiveAfterDays, deleteAfterDays: 10 });
  expect(outcome.deletedSamples).toBeGreaterThan(1000);
  expect(await activity(today - 60, today - 10)).toEqual([]);
  expect(await activity(today - 10, today + 1)).toEqual(summaries);
  for (const table of ['day_value', 'day_minutes', 'day_merged', 'day_archive', 'merged_archive']) {
    const { rows } = await pool.query(`select count(*) as n from ${table} where local_date < $1`, [
      fromDayNumber(today - 10),
    ]);
    expect(rows[0], table).toEqual({ n: 0 });
  }
  const { rows: samples } = await pool.query('select count(*) as n from sample where start_at < $1::date - 1', [
    fromDayNumber(today - 10),
  ]);
  expect(samples[0]).toEqual({ n: 0 });
  expect((await pool.query('select count(*) from sleep_session')).rows).toEqual(before);
  const { rows: audited } = await pool.query(
    "select user_id, actor_type, resource, action, route from audit_event where actor_type = 'service'",
  );
  expect(audited).toEqual([
    { user_id: id, actor_type: 'service', resource: 'sample', action: 'delete', route: ARCHIVAL_JOB },
  ]);
  const again = await run({ archiveAfterDays, deleteAfterDays: 10 });
  expect(again.deletedSamples).toBe(0);
  expect((await pool.query("select from audit_event where actor_type = 'service'")).rowCount).toBe(1);
});
