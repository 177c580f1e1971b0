import { gzipSync } from 'node:zlib';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import type { ItemCounts } from '@healthd/model';
import type { ImportAccepted, Workout, WorkoutDetail } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConsistent } from '../support/item-counts.js';
import { writeRecords } from '../support/recorded-user.js';
import { run as aRun, sample } from '../support/records.js';
import { storedRows } from '../support/stored-rows.js';
import { fitFile, gpxFile, START, tcxFile, zipOf } from '../support/workout-files.js';
import { type ImportFixture, openImportFixture } from './import-fixture.js';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

async function upload(user: string, content: Buffer | string, query = ''): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([content]), 'upload.bin');
  return fetch(`${fixture.url}/api/v1/users/${user}/import/workouts${query}`, { method: 'POST', body: form });
}

async function imported(user: string, content: Buffer | string, query = '') {
  const response = await upload(user, content, query);
  expect(response.status).toBe(200);
  const run = await fixture.ended(((await response.json()) as ImportAccepted).run_id);
  const items = run.metadata.items as ItemCounts;
  expect(isConsistent(items), JSON.stringify(items)).toBe(true);
  return { run, items, report: run.metadata.report as ImportReport };
}

const listed = async (user: string, query = '') =>
  (
    await fixture.read<{ data: Workout[] }>(
      `/api/v1/users/${user}/events/workouts?start_date=2026-05-01&end_date=2026-06-01${query}`,
    )
  ).data;
const keyOf = async (user: string) =>
  (await fixture.pool.query<{ user_key: number }>('select user_key from health_user where id = $1', [user])).rows[0]
    ?.user_key ?? 0;

describe('importing workout files', () => {
  it('stores a workout with its readings', async () => {
    const user = await fixture.createUser();
    const { run, items, report } = await imported(user, fitFile({ laps: 2 }));
    expect(run).toMatchObject({ status: 'success', provider: 'workout_files', source: 'xml_import' });
    expect(items).toMatchObject({ inserted: 1 + 60 * 8, rejected: 0 });
    expect(report.files).toMatchObject({ read: 1, imported: 1, problems: [] });
    const [workout] = await listed(user);
    expect(workout).toMatchObject({
      type: 'running',
      start_time: START,
      zone_offset: '+02:00',
      steps_count: 170,
      source: { provider: 'workout_files', device: 'Garmin 4315' },
    });
    const detail = await fixture.read<WorkoutDetail>(`/api/v1/users/${user}/events/workouts/${workout?.id}`);
    expect(detail.metadata).toMatchObject({ provenance: 'archive' });
    expect(detail.events.filter(({ type }) => type === 'lap')).toHaveLength(2);
    expect(detail.samples.map(({ samples }) => samples.length)).toEqual(Array(8).fill(60));
  });

  it('stores nothing twice', async () => {
    const user = await fixture.createUser();
    const archive = await zipOf({ '1.fit': fitFile(), '2.gpx': gpxFile(), '3.tcx': tcxFile(), '4.fit': fitFile() });
    await imported(user, archive);
    const before = await storedRows(fixture.pool, user);
    for (const content of [archive, gzipSync(fitFile()), gpxFile()]) {
      const { items } = await imported(user, content);
      expect(items).toMatchObject({ inserted: 0, updated: 0 });
    }
    expect(await storedRows(fixture.pool, user)).toEqual(before);
  });

  it('replaces the readings of a corrected file', async () => {
    const user = await fixture.createUser();
    await imported(user, fitFile({ seconds: 100 }));
    await imported(user, fitFile({ seconds: 40 }));
    const [workout, another] = await listed(user);
    expect(another).toBeUndefined();
    const detail = await fixture.read<WorkoutDetail>(`/api/v1/users/${user}/events/workouts/${workout?.id}`);
    expect(detail.samples.map(({ samples }) => samples.length)).toEqual(Array(8).fill(40));
  });

  it.each([
    ['whole', 0],
    ['cut', 1],
  ])('keeps a complete workout when the %s file arrives first', async (_, whole) => {
    const user = await fixture.createUser();
    const complete = fitFile({ laps: 2 });
    const files = [complete, complete.subarray(0, complete.length >> 1)];
    if (whole === 1) files.reverse();
    await imported(user, files[0] as Buffer);
    await imported(user, files[1] as Buffer);
    const workouts = await listed(user);
    expect(workouts).toMatchObject([{ type: 'running', duration_seconds: 55, steps_count: 170, distance_meters: 600 }]);
    const detail = await fixture.read<WorkoutDetail>(`/api/v1/users/${user}/events/workouts/${workouts[0]?.id}`);
    expect(detail.samples.map(({ samples }) => samples.length)).toEqual(Array(8).fill(60));
    const cadences = detail.samples.find(({ type }) => type === 'cadence')?.samples;
    expect(new Set(cadences?.map(({ value }) => value))).toEqual(new Set([170]));
  });

  it('lists several workouts of a day without counting their steps', async () => {
    const user = await fixture.createUser();
    await writeRecords(fixture.database, await keyOf(user), [sample('steps', '2026-05-09T06:00:00Z', 4_000)]);
    const evening = '2026-05-09T16:30:00Z';
    await imported(user, await zipOf({ 'a.fit': fitFile(), 'b.fit': fitFile({ start: evening }) }));
    expect((await listed(user)).map(({ start_time }) => start_time)).toEqual([evening, START]);
    const summary = await fixture.read<{ data: { steps: number }[] }>(
      `/api/v1/users/${user}/summaries/activity?start_date=2026-05-09&end_date=2026-05-10`,
    );
    expect(summary.data).toMatchObject([{ steps: 4_000 }]);
  });

  it('lists a workout from cloud, phone and file once', async () => {
    const user = await fixture.createUser();
    const times = { startMs: Date.parse(START), endMs: Date.parse(START) + 62_000 };
    const cloud = { provider: 'garmin', writer: 'garmin_api', deviceType: 'watch' } as const;
    const phone = { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone' } as const;
    await writeRecords(fixture.database, await keyOf(user), [
      aRun({ type: 'running', source: cloud, ...times }),
      aRun({ type: 'running', source: phone, ...times }),
    ]);
    await imported(user, await zipOf({ 'a.fit': fitFile(), 'a.tcx': tcxFile(), 'a.gpx': gpxFile() }));
    expect(await listed(user)).toHaveLength(5);
    const best = await listed(user, '&filter_by_priority=true');
    expect(best.map(({ source }) => source.provider)).not.toContain('workout_files');
    expect(best).toHaveLength(1);
  });

  it('lists unreadable files and stores the others', async () => {
    const user = await fixture.createUser();
    const { run, report, items } = await imported(
      user,
      await zipOf({ 'ok.fit': fitFile(), 'broken.gpx': '<gpx', 'notes.csv': 'x', 'course.fit': fitFile({ type: 6 }) }),
    );
    expect(run).toMatchObject({ status: 'partial', metadata: { reason: 'items_rejected' } });
    expect(report.files).toEqual({
      read: 4,
      imported: 1,
      unreadable: 1,
      without_workout: 1,
      others: 1,
      problems: [{ name: 'broken.gpx', reason: 'xml_malformed', is_stored: false }],
    });
    expect(items).toMatchObject({ rejected: 1, unsupported: 1 });
  });

  it('ends as partial when a file in the archive is cut', async () => {
    const user = await fixture.createUser();
    const whole = fitFile();
    const { run, items } = await imported(user, await zipOf({ 'cut.fit': whole.subarray(0, whole.length >> 1) }));
    expect(run).toMatchObject({ status: 'partial', metadata: { reason: 'truncated' } });
    expect(run.message).toBe('A file in the archive ends early. Everything before its end was imported.');
    expect(items.rejected).toBe(0);
  });

  it('stores nothing in a dry run', async () => {
    const user = await fixture.createUser();
    const { run, report } = await imported(user, fitFile(), '?dry_run=true');
    expect(run.status).toBe('success');
    expect(report.changes).toMatchObject({ workouts: { '2026-05': { new: 1 } } });
    expect(await listed(user)).toEqual([]);
  });

  it('fails with the reason of a single unreadable file', async () => {
    const user = await fixture.createUser();
    const { run } = await imported(user, '<gpx><trk>');
    expect(run).toMatchObject({ status: 'failed', metadata: { reason: 'xml_malformed' } });
  });

  it('rejects an upload of another format', async () => {
    const response = await upload(await fixture.createUser(), 'a photo, not a workout');
    expect(response.status).toBe(422);
    expect(JSON.stringify(await response.json())).toContain('neither FIT, GPX or TCX');
  });
});
