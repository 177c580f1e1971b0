import type { ImportReport } from '@healthd/daemon/ingest/files';
import { archiveOldData } from '@healthd/daemon/retention';
import { MS_PER_MINUTE, seriesTypeByCode } from '@healthd/model';
import type { SyncRun } from '@healthd/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedRows } from '../support/stored-rows.js';
import { type ImportFixture, openImportFixture } from './import-fixture.js';
import { asleepAt, modesExport, recordAt, runAt } from './import-modes-xml.js';

const WRITTEN = '2026-03-01T12:00:00Z';

let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture();
});
afterEach(() => fixture.close());

async function imported(user: string, items: readonly string[], query = ''): Promise<SyncRun> {
  const run = await fixture.ended((await fixture.upload(user, modesExport(items, WRITTEN), { query })).run_id, 120);
  expect(run, JSON.stringify((run.metadata.report as ImportReport).rejected)).toMatchObject({ status: 'success' });
  return run;
}

const reportOf = ({ metadata }: SyncRun) => metadata.report as ImportReport;

test('deletes more replaced rows than one transaction holds', async () => {
  const [user, alone] = [await fixture.createUser(), await fixture.createUser()];
  const minutes = (count: number, every: number) =>
    Array.from({ length: count }, (_, at) => new Date(Date.UTC(2026, 0, 1) + at * every * MS_PER_MINUTE).toISOString());
  const [retainedRecord, ...deletedRecords] = minutes(10_002, 2).map((start) => recordAt(start));
  // Stages of one minute each on five nights.
  const [storedStage, ...deletedStages] = Array.from({ length: 2_002 }, (_, at) =>
    asleepAt(new Date(Date.UTC(2026, 0, 1 + Math.floor(at / 450), 21, at % 450)).toISOString(), 1 / 60),
  );
  const [storedRun, ...deletedRuns] = minutes(2_002, 30).map((start) => runAt(start, 10));
  await imported(user, [
    retainedRecord ?? '',
    ...deletedRecords,
    storedStage ?? '',
    ...deletedStages,
    storedRun ?? '',
    ...deletedRuns,
  ]);
  const newer = [retainedRecord ?? '', storedStage ?? '', storedRun ?? ''];
  const tried = reportOf(await imported(user, newer, '?mode=replace&dry_run=true'));
  expect(tried.gone).toBe(10_001 + 2_001 + 2_001);
  const done = reportOf(await imported(user, newer, '?mode=replace'));
  expect(done).toMatchObject({ gone: tried.gone, changes: tried.changes });
  await imported(alone, newer);
  // The user with the replacement also has the offsets of the deleted days, so `offset_day` differs.
  const { offset_day: _, ...left } = await storedRows(fixture.pool, user);
  expect(await storedRows(fixture.pool, alone)).toMatchObject(left);
});

test('keeps pushed samples and workouts without IDs in a replacement', async () => {
  const user = await fixture.createUser();
  const source = { name: 'Phone' };
  const pushed = {
    provider: 'apple',
    sdkVersion: '0.6.0',
    syncTimestamp: '2026-01-06T12:00:00Z',
    data: {
      records: [
        {
          type: 'HKQuantityTypeIdentifierStepCount',
          startDate: '2026-01-06T07:00:00Z',
          endDate: '2026-01-06T07:01:00Z',
          value: 12,
          unit: 'count',
          source,
        },
      ],
      workouts: [{ type: 'running', startDate: '2026-01-06T10:00:00Z', endDate: '2026-01-06T10:30:00Z', source }],
    },
  };
  const items = [recordAt('2026-01-05T07:00:00Z'), runAt('2026-01-05T10:00:00Z', 30)];
  await imported(user, [...items, runAt('2026-01-07T10:00:00Z', 30)]);
  const response = await fetch(`${fixture.url}/api/v1/sdk/users/${user}/sync`, {
    method: 'POST',
    body: JSON.stringify(pushed),
  });
  const { batch_id: batchId } = (await response.json()) as { batch_id: string };
  expect(await fixture.ended(batchId)).toMatchObject({ status: 'success' });

  expect(reportOf(await imported(user, items, '?mode=replace')).gone).toBe(1);
  const { rows } = await fixture.pool.query(
    `select start_at from workout join health_user u using (user_key) where u.id = $1
     union all select start_at from sample join health_user u using (user_key) where u.id = $1 order by 1`,
    [user],
  );
  expect(rows.map((row) => row.start_at.toISOString())).toEqual([
    '2026-01-05T07:00:00.000Z',
    '2026-01-05T10:00:00.000Z',
    '2026-01-06T07:00:00.000Z',
    '2026-01-06T10:00:00.000Z',
  ]);
});

test('removes missing records only of unarchived days in a replacement', async () => {
  const user = await fixture.createUser();
  const [first, second, third, fourth] = [
    '2026-01-05T07:00:00Z',
    '2026-01-05T07:01:00Z',
    '2026-02-20T07:00:00Z',
    '2026-02-20T07:01:00Z',
  ] as [string, string, string, string];
  await imported(
    user,
    [first, second, third, fourth].map((start) => recordAt(start)),
  );
  const outcome = await archiveOldData({
    ...fixture.database,
    nowMs: Date.parse(WRITTEN),
    log: { error: (fields) => expect(fields).toBeUndefined() },
    settings: { archiveAfterDays: 30, deleteAfterDays: null },
  });
  expect(outcome).toBeDefined();
  const days = async () => {
    const { rows } = await fixture.pool.query(
      `select local_date::text as date, sample_sum as sum, sample_count as count
         from day_value join health_user using (user_key) where id = $1 and type_id = $2 order by 1`,
      [user, seriesTypeByCode('steps').id],
    );
    return rows;
  };
  const archived = async () => {
    const { rows } = await fixture.pool.query(
      `select (select jsonb_agg(to_jsonb(a)) from day_archive a) as days, (select jsonb_agg(to_jsonb(m)) from archived_minute m) as minutes`,
    );
    return rows[0];
  };
  const [daysBefore, before] = [await days(), await archived()];
  expect(before.days).toHaveLength(1);

  const newer = [recordAt(first), recordAt(third)];
  const changes = { steps: { '2026-02': { gone: 1 } } };
  expect(reportOf(await imported(user, newer, '?mode=replace&dry_run=true'))).toMatchObject({ gone: 1, changes });
  const run = await imported(user, newer, '?mode=replace');
  const archivedDays = { days: 1, from: '2026-01-05', to: '2026-01-05' };
  expect(reportOf(run)).toMatchObject({ gone: 1, changes, archived_days_kept: archivedDays });
  expect(await archived()).toEqual(before);
  const sums = (rows: { date: string; sum: number }[]) => Object.fromEntries(rows.map(({ date, sum }) => [date, sum]));
  expect(sums(daysBefore)).toMatchObject({ '2026-02-20': 20 });
  expect(sums(await days())).toEqual({ ...sums(daysBefore), '2026-02-20': 10 });
});
