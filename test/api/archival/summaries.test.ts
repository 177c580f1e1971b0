import { fromDayNumber } from '@healthd/model';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ArchivalFixture,
  DAYS,
  FIRST_DAY,
  FROM,
  HEART_RATE,
  LIVE_DAYS,
  type LivedDatabase,
  openArchival,
  openLivedDatabase,
  TO,
  TODAY,
} from '../../support/archival-fixture.js';

let lived: LivedDatabase;
let fixture: ArchivalFixture;
beforeAll(async () => {
  lived = await openLivedDatabase();
});
afterAll(() => lived.drop());
beforeEach(async () => {
  fixture = await openArchival(lived);
});
afterEach(() => fixture.stop());

async function samplesBefore(day: number, condition = 'true'): Promise<number> {
  const { rows } = await fixture.pool.query<{ n: number }>(
    `select count(*) as n from sample where start_at < $1::date - interval '1 day' and ${condition}`,
    [fromDayNumber(day)],
  );
  return rows[0]?.n ?? -1;
}

test('keeps exact summaries of archived days without their continuous samples', async () => {
  const before = await fixture.summaries();
  const heartRates = `type_id = ${HEART_RATE}`;
  expect(await samplesBefore(TODAY - LIVE_DAYS, heartRates)).toBeGreaterThan(1000);
  const outcome = await fixture.archive();
  expect(outcome).toMatchObject({ failedUsers: 0, deletedSamples: 0 });
  expect(outcome.archivedSamples).toBeGreaterThan(DAYS * 200);
  expect(await samplesBefore(TODAY - LIVE_DAYS, heartRates)).toBe(0);
  expect(await samplesBefore(TODAY - LIVE_DAYS, 'slot >> 29 = 1')).toBeGreaterThan(DAYS / 5);
  expect(await fixture.summaries()).toEqual(before);
  expect((await fixture.archive()).archivedSamples).toBe(0);
  // Archives day by day like the daily run. Also recomputes the merged totals from the stored totals.
  for (const live of [2, 1]) {
    expect((await fixture.archive(live)).archivedSamples).toBeGreaterThan(0);
    expect(await fixture.summaries()).toEqual(before);
    await fixture.pool.query('delete from day_merged');
    expect((await fixture.summaries()).merged).toEqual(before.merged);
  }
});

test("keeps a time series' total equal to its number of rows", async () => {
  const path = `/api/v1/users/${fixture.user.id}/timeseries?types=steps&types=distance_walking_running&start_time=${FROM}&end_time=${TO}`;
  const whole = (await fixture.call('GET', `${path}&limit=10000`)).body;
  const { archivedSamples } = await fixture.archive();
  const left = (await fixture.call('GET', `${path}&limit=10000`)).body;
  expect(left.pagination.total_count).toBe(left.data.length);
  expect(left.data.length).toBeLessThan(whole.data.length / 4);
  const live = (rows: { timestamp: string }[]) =>
    rows.filter(({ timestamp }) => timestamp >= fromDayNumber(TODAY - LIVE_DAYS + 1));
  expect(live(left.data)).toEqual(live(whole.data));
  const stats = (await fixture.developer('GET', '/api/v1/dashboard/stats')).body.data_points;
  expect(stats.archived).toBe(archivedSamples);
  const total = (await fixture.call('GET', `/api/v1/users/${fixture.user.id}/summaries/data`)).body.total_data_points;
  expect(stats.count + stats.archived).toBe(total);
});

test('explains the sources of archived days, but not their times', async () => {
  const explain = async (merge: string, at: number) => {
    const query = `summaries/activity/explain?date=${fromDayNumber(FIRST_DAY + at)}&merge=${merge}`;
    return (await fixture.call('GET', `/api/v1/users/${fixture.user.id}/${query}`)).body.metrics;
  };
  const variants = ['source', 'interval'].flatMap((merge) => [1, 9, 10].map((at) => [merge, at] as const));
  const before = await Promise.all(variants.map(([merge, at]) => explain(merge, at)));
  await fixture.archive();
  const after = await Promise.all(variants.map(([merge, at]) => explain(merge, at)));
  const figures = (metrics: { ranges: unknown; archived: boolean }[]) =>
    metrics.map((metric) => ({ ...metric, ranges: [], archived: true }));
  expect(after.map(figures)).toEqual(before.map(figures));
  expect(before[0][0]).toMatchObject({ type: 'steps', archived: false });
  expect(before[0][0].ranges.length).toBeGreaterThan(5);
  expect(after[0][0]).toMatchObject({ type: 'steps', archived: true, ranges: [] });
});

test('keeps merged totals of archived days when device priorities change', async () => {
  const before = await fixture.summaries();
  await fixture.archive(1);
  await fixture.developer('PUT', '/api/v1/priorities/device-types/phone', { priority: 1 });
  await fixture.developer('PUT', '/api/v1/priorities/device-types/watch', { priority: 9 });
  const steps = (response: unknown) =>
    (response as { data: { date: string; steps: number }[] }).data
      .filter(({ date }) => date < fromDayNumber(TODAY - 4))
      .map(({ steps }) => steps);
  expect(steps((await fixture.summaries()).merged)).toEqual(steps(before.merged));
});
