import { repairJob } from '@healthd/daemon/repairs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser, recordWriter, writeRecords } from '../support/recorded-user.js';
import { run, sample, sleepStage } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

const unplaced = { offsetMinutes: undefined };

/** Creates a user with steps, sleep and a run in New York without offsets, and later steps with the offset 0. */
const newYorker = () =>
  recordedUser(
    service,
    sample('steps', '2026-03-11T01:00:00Z', 100, unplaced),
    sample('steps', '2026-03-11T16:00:00Z', 30, unplaced),
    sample('steps', '2026-03-21T01:00:00Z', 7, { offsetMinutes: 0 }),
    sleepStage('light', '2026-03-10T03:00Z', '2026-03-10T11:00Z', unplaced),
    sleepStage('light', '2026-03-10T22:30Z', '2026-03-11T00:30Z', unplaced),
    sleepStage('light', '2026-03-11T03:00Z', '2026-03-11T11:00Z', unplaced),
    run({ startMs: Date.parse('2026-03-11T00:00Z'), endMs: Date.parse('2026-03-11T00:40Z'), ...unplaced }),
  );

const patch = (id: string, query: string, body: object) => developer('PATCH', `/api/v1/users/${id}${query}`, body);

async function steps(id: string) {
  const path = `/api/v1/users/${id}/summaries/activity?start_date=2026-03-01&end_date=2026-04-01`;
  const { data } = (await service.call('GET', path)).body;
  return data.map(({ date, steps: count }: { date: string; steps: number }) => [date, count]);
}

async function nights(id: string) {
  const path = `/api/v1/users/${id}/summaries/sleep?start_date=2026-03-01&end_date=2026-04-01`;
  const { data } = (await service.call('GET', path)).body;
  return data.map((day: Record<string, unknown>) => [day.date, day.duration_minutes, day.nap_count]);
}

/** Runs the follow-up job of a change. */
async function followed() {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const signal = new AbortController().signal;
  const { pool } = service;
  await repairJob({ pool, writer: recordWriter({ pool }) }).run(
    {},
    { signal, attempt: 1, touch: async () => undefined, again: async () => true, log },
  );
  expect((await service.pool.query('select from pending_repair')).rowCount).toBe(0);
}

test('moves days, nights and naps as previewed', async () => {
  const { id } = await newYorker();
  const before = { steps: await steps(id), nights: await nights(id) };
  expect(before.steps).toEqual([
    ['2026-03-11', 130],
    ['2026-03-21', 7],
  ]);
  const moved = { count: 2, first_date: '2026-03-10', last_date: '2026-03-11' };
  const tried = await patch(id, '?dry_run=true', { time_zone: 'America/New_York', first_name: 'Ada' });
  expect(tried.body).toMatchObject({ time_zone: null, first_name: null, moved_days: moved });
  await followed();
  expect({ steps: await steps(id), nights: await nights(id) }).toEqual(before);

  const set = await patch(id, '', { time_zone: 'America/New_York' });
  expect(set.body).toMatchObject({ time_zone: 'America/New_York', moved_days: moved });
  await followed();
  expect(await steps(id)).toEqual([
    ['2026-03-10', 100],
    ['2026-03-11', 30],
    ['2026-03-21', 7],
  ]);
  expect(await nights(id)).toEqual([
    ['2026-03-10', 480, 1],
    ['2026-03-11', 480, 0],
  ]);
  const workouts = await service.pool.query(
    'select local_date::text from workout join health_user u using (user_key) where u.id = $1',
    [id],
  );
  expect(workouts.rows).toEqual([{ local_date: '2026-03-10' }]);

  expect((await patch(id, '', { time_zone: 'America/New_York' })).body.moved_days).toBeNull();
  expect((await patch(id, '', { time_zone: null })).body).toMatchObject({ time_zone: null, moved_days: moved });
  await followed();
  expect({ steps: await steps(id), nights: await nights(id) }).toEqual(before);
});

test("shows a new user's time zone in every response", async () => {
  const created = (await service.call('POST', '/api/v1/users', { time_zone: 'Asia/Kolkata' })).body;
  expect(created.time_zone).toBe('Asia/Kolkata');
  expect((await service.call('GET', `/api/v1/users/${created.id}`)).body.time_zone).toBe('Asia/Kolkata');
  const { items } = (await service.call('GET', `/api/v1/users?search=${created.id}`)).body;
  expect(items).toMatchObject([{ id: created.id, time_zone: 'Asia/Kolkata' }]);
  expect((await patch(created.id, '', { first_name: 'Ada' })).body).toMatchObject({
    first_name: 'Ada',
    time_zone: 'Asia/Kolkata',
    moved_days: null,
  });
});

test.each(['Middle/Earth', '+02:00', '', 'Europe', 'EuropeWarsaw', 5])(
  'rejects the invalid time zone %s and changes nothing',
  async (zone) => {
    const { id } = (await service.call('POST', '/api/v1/users', {})).body;
    for (const response of [
      await patch(id, '', { time_zone: zone }),
      await service.call('POST', '/api/v1/users', { time_zone: zone }),
    ]) {
      expect(response.status).toBe(422);
      expect(JSON.stringify(response.body)).toContain('time_zone');
      if (typeof zone === 'string') expect(JSON.stringify(response.body)).toContain('such as Europe/Warsaw');
    }
    expect((await service.call('GET', `/api/v1/users/${id}`)).body.time_zone).toBeNull();
  },
);

test("prefers a late exact offset to the user's time zone", async () => {
  const { id, userKey } = await newYorker();
  await patch(id, '', { time_zone: 'America/New_York' });
  await followed();

  await writeRecords(service, userKey, [sample('steps', '2026-03-11T01:00:00Z', 100, { offsetMinutes: 540 })]);
  expect(await steps(id)).toEqual([
    ['2026-03-11', 100],
    ['2026-03-12', 30],
    ['2026-03-21', 7],
  ]);
});
