import { createPool } from '@healthd/daemon/platform/database';
import { archiveOldData } from '@healthd/daemon/retention';
import type { WriteResult } from '@healthd/daemon/store/facts';
import {
  batchOf,
  fromDayNumber,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_MINUTE,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extent } from '../support/extent.js';
import { healthChecksums } from '../support/health-tables.js';
import { deletionOf, livedDays, offsetOn } from '../support/lived-days.js';
import { recordWriter } from '../support/recorded-user.js';
import { PHONE, sample, samplesEvery, WATCH } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const DAYS = extent(35, 62);
const NOW_MS = Date.now();
const TODAY = Math.floor(NOW_MS / MS_PER_DAY);
const FIRST_DAY = TODAY - DAYS;
/** Days before today that stay as samples; the week that body averages over is archived in part. */
const LIVE_DAYS = 3;
const FROM = fromDayNumber(FIRST_DAY - 2);
const TO = fromDayNumber(TODAY + 2);
const HEART_RATE = seriesTypeByCode('heart_rate').id;
const STEPS = seriesTypeByCode('steps').id;
const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring' };

let service: TestService;
let developer: Call;
beforeEach(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterEach(() => service.stop());

const records = livedDays(FIRST_DAY, DAYS);

async function newUser(): Promise<{ id: string; userKey: number }> {
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  return { id, userKey: (await service.users.find(id))?.userKey ?? 0 };
}

/** Stores records in batches as an import does. */
async function write(user: { userKey: number }, all: readonly HealthRecord[], size = 5000): Promise<WriteResult[]> {
  const writer = recordWriter(service);
  const results: WriteResult[] = [];
  for (let from = 0; from < all.length; from += size) {
    results.push(await writer.write(user.userKey, batchOf(all.slice(from, from + size))));
  }
  return results;
}

async function archive(liveDays = LIVE_DAYS) {
  const settings = { archiveAfterDays: liveDays, deleteAfterDays: null };
  const errors: object[] = [];
  const log = { error: (fields: object) => void errors.push(fields) };
  const outcome = await archiveOldData({ ...service.parts, settings, nowMs: NOW_MS, log });
  expect(errors).toEqual([]);
  return outcome;
}

/** A minute of the night, counted from midnight, without a heart rate of the watch in it or the five before it. */
function freeMinute(midnight: number): number {
  const taken = new Set(
    records.flatMap((record) =>
      record.kind === 'sample' && record.typeId === HEART_RATE && record.source === WATCH
        ? Math.floor((record.startMs - midnight) / MS_PER_MINUTE)
        : [],
    ),
  );
  let minute = -30;
  while ([0, 1, 2, 3, 4, 5].some((before) => taken.has(minute - before))) minute++;
  return minute;
}

const takenMinutes = new Set(records.map(minuteOf));

/** Series, source and minute of a sample. */
function minuteOf(record: HealthRecord): string | undefined {
  return record.kind === 'sample'
    ? `${record.source.deviceModel} ${record.typeId} ${record.sampleKind} ${Math.floor(record.startMs / MS_PER_MINUTE)}`
    : undefined;
}

/** Whether no sample of the same series and source begins in the minute. */
function isOfFreeMinute(late: HealthRecord): boolean {
  const minute = minuteOf(late);
  return minute === undefined || !takenMinutes.has(minute);
}

/** All answers of summaries, without what is about the moment of asking. */
async function summaries(user: { id: string }): Promise<Record<string, unknown>> {
  const range = `start_date=${FROM}&end_date=${TO}&limit=100`;
  const path = `/api/v1/users/${user.id}`;
  const read = async (query: string) => {
    const answer = await service.call('GET', `${path}/${query}`);
    expect(answer.status, query).toBe(200);
    return answer.body;
  };
  const body = await read('summaries/body?average_period=7&latest_window_hours=24');
  return {
    activity: await read(`summaries/activity?${range}`),
    merged: await read(`summaries/activity?${range}&merge=interval`),
    sleep: await read(`summaries/sleep?${range}`),
    recovery: await read(`summaries/recovery?${range}`),
    body: body && { ...body, averaged: { ...body.averaged, period_start: '', period_end: '' } },
    data: { ...(await read('summaries/data')), user_id: '' },
    // It says up to which day the person is archived.
    gaps: { ...(await read('summaries/data/gaps')), user_id: '', archived_before: '' },
    workouts: withoutIds((await read(`events/workouts?${range}`)).data),
  };
}

function withoutIds(rows: { id: string }[]): unknown[] {
  return rows.map((row) => ({ ...row, id: '' }));
}

async function samplesBefore(day: number, condition = 'true'): Promise<number> {
  const { rows } = await service.pool.query<{ n: number }>(
    `select count(*) as n from sample where start_at < $1::date - interval '1 day' and ${condition}`,
    [fromDayNumber(day)],
  );
  return rows[0]?.n ?? -1;
}

describe('archived days', () => {
  test('archived days keep all their summaries to the last digit, and no ordinary sample of series that go on all day', async () => {
    const user = await newUser();
    await write(user, records);
    const before = await summaries(user);
    const heartRates = `type_id = ${HEART_RATE}`;
    expect(await samplesBefore(TODAY - LIVE_DAYS, heartRates)).toBeGreaterThan(1000);
    const outcome = await archive();
    expect(outcome).toMatchObject({ failedUsers: 0, deletedSamples: 0 });
    expect(outcome.archivedSamples).toBeGreaterThan(DAYS * 200);
    expect(await samplesBefore(TODAY - LIVE_DAYS, heartRates)).toBe(0);
    expect(await samplesBefore(TODAY - LIVE_DAYS, 'slot >> 29 = 1')).toBeGreaterThan(DAYS / 5);
    expect(await summaries(user)).toEqual(before);
    expect((await archive()).archivedSamples).toBe(0);
    // Day after day, as the daily run goes on; also with merged totals made again from the stored totals.
    for (const live of [2, 1]) {
      expect((await archive(live)).archivedSamples).toBeGreaterThan(0);
      expect(await summaries(user)).toEqual(before);
      await service.pool.query('delete from day_merged');
      expect((await summaries(user)).merged).toEqual(before.merged);
    }
  });

  test('archived days are counted, and leave the time series with a total that fits its pages', async () => {
    const user = await newUser();
    await write(user, records);
    const path = `/api/v1/users/${user.id}/timeseries?types=steps&types=distance_walking_running&start_time=${FROM}&end_time=${TO}`;
    const whole = (await service.call('GET', `${path}&limit=10000`)).body;
    const { archivedSamples } = await archive();
    const left = (await service.call('GET', `${path}&limit=10000`)).body;
    expect(left.pagination.total_count).toBe(left.data.length);
    expect(left.data.length).toBeLessThan(whole.data.length / 4);
    const live = (rows: { timestamp: string }[]) =>
      rows.filter(({ timestamp }) => timestamp >= fromDayNumber(TODAY - LIVE_DAYS + 1));
    expect(live(left.data)).toEqual(live(whole.data));
    const stats = (await developer('GET', '/api/v1/dashboard/stats')).body.data_points;
    expect(stats.archived).toBe(archivedSamples);
    const total = (await service.call('GET', `/api/v1/users/${user.id}/summaries/data`)).body.total_data_points;
    expect(stats.count + stats.archived).toBe(total);
  });

  test('archived days are explained by what each source gave, and say that the times are gone', async () => {
    const user = await newUser();
    await write(user, records);
    const explain = async (merge: string, at: number) => {
      const query = `summaries/activity/explain?date=${fromDayNumber(FIRST_DAY + at)}&merge=${merge}`;
      return (await service.call('GET', `/api/v1/users/${user.id}/${query}`)).body.metrics;
    };
    const asked = ['source', 'interval'].flatMap((merge) => [1, 9, 10].map((at) => [merge, at] as const));
    const before = await Promise.all(asked.map(([merge, at]) => explain(merge, at)));
    await archive();
    const after = await Promise.all(asked.map(([merge, at]) => explain(merge, at)));
    const figures = (metrics: { ranges: unknown; archived: boolean }[]) =>
      metrics.map((metric) => ({ ...metric, ranges: [], archived: true }));
    expect(after.map(figures)).toEqual(before.map(figures));
    expect(before[0][0]).toMatchObject({ type: 'steps', archived: false });
    expect(before[0][0].ranges.length).toBeGreaterThan(5);
    expect(after[0][0]).toMatchObject({ type: 'steps', archived: true, ranges: [] });
  });

  test('archived days do not change when the same export is imported again, not in one row of one table', async () => {
    const user = await newUser();
    await write(user, records);
    await archive();
    const before = await healthChecksums(service);
    for (const size of [5000, 777]) {
      const results = await write(user, records, size);
      expect(results.map(({ samples }) => samples.inserted + samples.updated)).toEqual(results.map(() => 0));
      expect(await healthChecksums(service)).toEqual(before);
    }
    expect((await archive()).archivedSamples).toBe(0);
    expect(await healthChecksums(service)).toEqual(before);
  });

  test('archived days take late samples of minutes without one as if they had never been archived', async () => {
    const [archived, oracle] = [await newUser(), await newUser()];
    await write(archived, records);
    await archive();
    await write(oracle, records);
    let late: HealthRecord[] = [];
    for (let at = 3; at < DAYS; at += 4) {
      const day = FIRST_DAY + at;
      const offsetMinutes = offsetOn(day, FIRST_DAY);
      const midnight = day * MS_PER_DAY - offsetMinutes * MS_PER_MINUTE;
      const time = (minute: number) => new Date(midnight + minute * MS_PER_MINUTE).toISOString();
      late.push(
        ...samplesEvery('steps', time(1350), 1, [40, 12, 33], { minutes: 1, offsetMinutes }),
        ...samplesEvery('steps', time(1362), 2, [9, 60], { source: PHONE, minutes: 2, offsetMinutes }),
        ...samplesEvery('heart_rate', time(1370), 1, [71, 72, 90], { minutes: 1, offsetMinutes }),
        // A source that no one knew, on days past and present.
        ...samplesEvery('heart_rate', time(60), 15, [50, 51, 49], { source: OURA, offsetMinutes }),
        ...samplesEvery('steps', time(500), 1, [50, 51, 49], { source: OURA, minutes: 1, offsetMinutes }),
        sample('weight', time(1300), 79.5 + at / 100, { source: PHONE, offsetMinutes }),
        sample('heart_rate', time(freeMinute(midnight)), 44, { source: WATCH, offsetMinutes }),
      );
    }
    late = late.filter(isOfFreeMinute);
    await write(archived, late);
    await write(oracle, late);
    const expected = await summaries(oracle);
    expect(await summaries(archived)).toEqual(expected);
    // Archived in their turn, and sent once more.
    expect((await archive()).archivedSamples).toBeGreaterThan(0);
    expect(await summaries(archived)).toEqual(expected);
    const before = await healthChecksums(service);
    await write(archived, late);
    await write(archived, records);
    expect(await healthChecksums(service)).toEqual(before);
  });

  test('archived days ignore a correction of a minute that is archived', async () => {
    const user = await newUser();
    await write(user, records);
    await archive();
    const before = await healthChecksums(service);
    const corrected = records
      .slice(0, 300)
      .flatMap((record) =>
        record.kind === 'sample' && record.typeId === STEPS && record.sampleKind === 'sample'
          ? { ...record, value: 1 }
          : [],
      );
    expect(corrected.length).toBeGreaterThan(20);
    await write(user, corrected);
    expect(await healthChecksums(service)).toEqual(before);
  });

  test('archived days stay on their dates when later data shows another offset', async () => {
    const user = await newUser();
    const day = fromDayNumber(TODAY - 30);
    const unplaced = samplesEvery('steps', `${day}T20:00:00Z`, 10, [100, 200, 300, 400], { minutes: 5 });
    await write(user, unplaced);
    await archive();
    const before = await summaries(user);
    // Three hours on, 20:00Z would be the next day.
    const placing = sample('weight', `${day}T20:30:00Z`, 80, { offsetMinutes: 300 });
    await write(user, [placing]);
    await write(user, unplaced);
    const after = await summaries(user);
    expect(after.activity).toEqual(before.activity);
    expect(after.merged).toEqual(before.merged);
  });

  test('archived days give an interval across midnight to both of its days, whichever of them is archived', async () => {
    const user = await newUser();
    const midnight = (live: number) => new Date((TODAY - live) * MS_PER_DAY).toISOString();
    const across = (live: number, source: SourceIdentity, value: number) =>
      sample('steps', new Date(Date.parse(midnight(live)) - 600_000).toISOString(), value, {
        source,
        minutes: 20,
        offsetMinutes: 0,
      });
    await write(user, [
      ...[8, 7, 6, 5].flatMap((live) => [across(live, WATCH, 100), across(live, PHONE, 60)]),
      sample('steps', midnight(5), 10, { source: PHONE, minutes: 5, offsetMinutes: 0 }),
    ]);
    const merged = async () =>
      ((await summaries(user)).merged as { data: { steps: number }[] }).data.map(({ steps }) => steps);
    const before = await merged();
    expect(before).toEqual([50, 100, 100, 100, 50]);
    for (const live of [8, 7, 7, 6, 5, 4]) {
      await archive(live);
      // Also as it is made again from the stored totals.
      for (const mergesAgain of [false, true]) {
        if (mergesAgain) await service.pool.query('delete from day_merged');
        expect(await merged(), `${live} days live`).toEqual(before);
      }
    }
  });

  test('archived days keep their merged totals when priorities of devices change', async () => {
    const user = await newUser();
    await write(user, records);
    const before = await summaries(user);
    await archive(1);
    await developer('PUT', '/api/v1/priorities/device-types/phone', { priority: 1 });
    await developer('PUT', '/api/v1/priorities/device-types/watch', { priority: 9 });
    const steps = (answer: unknown) =>
      (answer as { data: { date: string; steps: number }[] }).data
        .filter(({ date }) => date < fromDayNumber(TODAY - 4))
        .map(({ steps }) => steps);
    expect(steps((await summaries(user)).merged)).toEqual(steps(before.merged));
  });

  test('archived days lose whole days to a deletion, and keep those that it covers in part', async () => {
    const user = await newUser();
    await write(user, records);
    await archive();
    const midnight = (at: number) =>
      (FIRST_DAY + at) * MS_PER_DAY - offsetOn(FIRST_DAY + at, FIRST_DAY) * MS_PER_MINUTE;
    const noon = midnight(5) + MS_PER_DAY / 2;
    await write(user, [deletionOf('heart_rate', noon, midnight(7))]);
    const sources = async (at: number) =>
      (
        await service.pool.query<{ provider: string }>(
          `select s.provider from day_value v join data_source s using (user_key, source_id)
            where v.user_key = $1 and v.local_date = $2 and v.type_id = $3 order by 1`,
          [user.userKey, fromDayNumber(FIRST_DAY + at), HEART_RATE],
        )
      ).rows.map(({ provider }) => provider);
    expect(await sources(5)).toContain('apple');
    expect(await sources(6)).not.toContain('apple');
    expect(await sources(7)).toContain('apple');
    // What was deleted may come again.
    const again = sample('heart_rate', new Date(midnight(6) + 43_200_000).toISOString(), 61, { offsetMinutes: 60 });
    expect((await write(user, [again]))[0]?.samples.inserted).toBe(1);
  });

  test('archived days are right however often the work is killed in the middle', async () => {
    const user = await newUser();
    await write(user, records);
    const before = await summaries(user);
    const victim = createPool({ url: service.database.url, applicationName: 'victim', max: 2 });
    let kills = 0;
    for (let delay = 40; delay < 400; delay += 60) {
      const settings = { archiveAfterDays: 1, deleteAfterDays: null };
      const log = { error: () => undefined };
      let ended = false;
      const work = archiveOldData({ ...service.parts, pool: victim, settings, nowMs: NOW_MS, log })
        .catch(() => undefined)
        .finally(() => {
          ended = true;
        });
      await new Promise((resolve) => setTimeout(resolve, delay));
      for (let killed = 0; killed === 0 && !ended; ) {
        const { rowCount } = await service.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'victim' and datname = current_database() and state <> 'idle'`,
        );
        killed = rowCount ?? 0;
        kills += killed;
      }
      await work;
      expect(await summaries(user)).toEqual(before);
    }
    await victim.end();
    expect(kills).toBeGreaterThan(0);
    await archive(1);
    expect(await summaries(user)).toEqual(before);
    const settled = await healthChecksums(service);
    await write(user, records);
    expect(await healthChecksums(service)).toEqual(settled);
  });
});
