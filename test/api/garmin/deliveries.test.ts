import { type FileHandle, open } from 'node:fs/promises';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { deliveryCleaning, deliveryJob } from '@healthd/daemon/ingest/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectedUser, type GarminFixture, openGarminFixture } from './garmin-fixture.js';

const DAY = 86_400;
const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
const date = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);
/** A day of a person in UTC, some days ago. */
const daily = (daysAgo: number, steps: number, durationInSeconds = DAY) => ({
  summaryId: `d-${daysAgo}-${durationInSeconds}`,
  calendarDate: date(today - daysAgo * DAY),
  startTimeInSeconds: today - daysAgo * DAY,
  startTimeOffsetInSeconds: 0,
  durationInSeconds,
  steps,
});
const night = (summaryId: string, startHours: number, hours: number, validation: string) => ({
  summaryId,
  calendarDate: date(today - DAY),
  startTimeInSeconds: today - DAY + startHours * 3_600,
  startTimeOffsetInSeconds: 0,
  durationInSeconds: hours * 3_600,
  deepSleepDurationInSeconds: 3_600,
  lightSleepDurationInSeconds: (hours - 1) * 3_600,
  validation,
});

let fixture: GarminFixture;
let ada: ConnectedUser;
let adaId: string;
beforeEach(async () => {
  fixture = await openGarminFixture();
  adaId = (await fixture.control.addAccount({ id: 'ada' })).userId;
  ada = await fixture.connect('ada');
  await fixture.control.setPushTarget({ url: fixture.address, deliveries: 'held' });
});
afterEach(() => fixture.close());

const send = (body: object, headers?: Record<string, string>) =>
  fixture.control.sendBody(JSON.stringify(body), headers);
const steps = async (user = ada) => (await fixture.samples(user.userKey, 'steps', 1)).map(({ value }) => value);
const flush = async (options?: { reversed?: boolean; twice?: boolean }) => {
  const pushes = await fixture.control.flushPushes(options);
  await fixture.reading.settle();
  return pushes;
};

describe('a delivery', () => {
  it('a delivery is answered 200 before it is read, and then stored with a run for whom it concerns', async () => {
    expect(await send({ dailies: [{ userId: adaId, ...daily(1, 8_123) }] })).toBe(200);
    expect(await steps()).toEqual([]);
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    await fixture.reading.settle();
    expect(await steps()).toEqual([8_123]);
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    expect(await fixture.lastRun(ada)).toMatchObject({
      source: 'webhook',
      status: 'success',
      metadata: { data_types: { dailies: { status: 'success', inserted: 1 } } },
    });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active', last_synced_at: expect.any(String) });
  });

  it.each([
    ['of another application', { 'garmin-client-id': 'another application' }],
    ['without an application', { 'garmin-client-id': '' }],
  ])('a delivery %s is 401, and nothing of it is stored', async (_, headers) => {
    expect(await send({ dailies: [{ userId: adaId, ...daily(1, 1) }] }, headers)).toBe(401);
    expect(await fixture.deliveries()).toEqual({});
  });

  it('where a token is set, a delivery without it is 401', async () => {
    const guarded = await openGarminFixture({ values: { WEBHOOK_TOKEN: 'a token that nobody guesses' } });
    try {
      const push = async (query: string) => {
        await guarded.control.setPushTarget({ url: `${guarded.address}${query}` });
        return guarded.control.sendBody('{}');
      };
      expect(await push('')).toBe(401);
      expect(await push('?token=another')).toBe(401);
      expect(await push('?token=a%20token%20that%20nobody%20guesses')).toBe(200);
    } finally {
      await guarded.close();
    }
  });

  it.each([
    ['cut off', '{"dailies":[{"userId":"x","st', 400],
    ['a list', '[]', 200],
    ['no JSON at all', 'hello', 200],
    ['empty', '', 400],
  ])('a body that is %s is answered so that it is sent again only where that helps', async (_, body, status) => {
    expect(await fixture.control.sendBody(body)).toBe(status);
    expect(await fixture.deliveries()).toEqual({});
  });

  it('a delivery packed with gzip is read, and a damaged one is refused', async () => {
    const packed = gzipSync(JSON.stringify({ dailies: [{ userId: adaId, ...daily(1, 5) }] }));
    const post = (body: Buffer) =>
      fetch(fixture.address, {
        method: 'POST',
        headers: { 'garmin-client-id': fixture.simulator.client.id, 'content-encoding': 'gzip' },
        body: new Uint8Array(body),
      });
    expect((await post(packed)).status).toBe(200);
    expect((await post(packed.subarray(0, packed.length - 12))).status).toBe(400);
    expect((await post(Buffer.from('no gzip'))).status).toBe(400);
    await fixture.reading.settle();
    expect(await steps()).toEqual([5]);
  });

  it('an item that cannot be read fails nothing beside it, and the run says where and why', async () => {
    const odd = { ...daily(2, 1), startTimeInSeconds: 'soon' };
    const body = {
      dailies: [7, { ...daily(1, 1) }, { userId: adaId, ...odd }, { userId: adaId, ...daily(1, 9) }],
      later: [{}],
    };
    expect(await send(body)).toBe(200);
    await fixture.reading.settle();
    expect(await steps()).toEqual([9]);
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({
      rejected: 1,
      rejected_by_reason: { invalid_date: 1 },
    });
  });

  it('a ping is a rejected item of the run, and nothing is fetched from the address that it names', async () => {
    const uploaded = { uploadStartTimeInSeconds: today - 600, uploadEndTimeInSeconds: today };
    const callbackURL = `${fixture.simulator.urls.api}/dailies?token=t`;
    expect(await send({ dailies: [{ userId: adaId, ...uploaded, callbackURL }] })).toBe(200);
    await fixture.reading.settle();
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({
      rejected: 1,
      rejected_by_reason: { invalid_date: 1 },
    });
    expect(await fixture.control.requests('/rest/dailies')).toEqual([]);
  });

  it('a large delivery of many people is read item by item, each stored for its person', async () => {
    const benId = (await fixture.control.addAccount({ id: 'ben' })).userId;
    const ben = await fixture.connect('ben');
    const heart = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [String(at * 15), 60 + (at % 50)]));
    const dailies = Array.from({ length: 120 }, (_, at) => ({
      userId: at % 2 === 0 ? adaId : benId,
      ...daily(1 + Math.floor(at / 2), 1_000 + at),
      timeOffsetHeartRateSamples: heart,
    }));
    expect(await send({ dailies })).toBe(200);
    await fixture.reading.settle();
    expect((await steps()).length).toBe(60);
    expect((await steps(ben)).length).toBe(60);
    expect((await fixture.samples(ben.userKey, 'heart_rate')).length).toBe(120_000);
    expect((await fixture.lastRun(ben)).metadata.data_types.dailies).toMatchObject({ received: 60 });
  });
});

describe('a delivery that cannot be read in one go', () => {
  it('a delivery is stored whole on a disk that takes a part of each piece', async () => {
    const probe = await open(import.meta.filename);
    const prototype: FileHandle = Object.getPrototypeOf(probe);
    await probe.close();
    const { write } = prototype;
    const takesHalf = vi.spyOn(prototype, 'write').mockImplementation(function (this: FileHandle, ...given: unknown[]) {
      const [piece, at = 0] = given as [Buffer, number?];
      return Reflect.apply(write, this, [piece, at, Math.ceil((piece.length - at) / 2)]);
    } as typeof write);
    try {
      expect(await send({ dailies: [{ userId: adaId, ...daily(1, 8_123) }] })).toBe(200);
    } finally {
      takesHalf.mockRestore();
    }
    await fixture.reading.settle();
    expect(await steps()).toEqual([8_123]);
  });

  it('a delivery that takes longer than a job may waits, and those that came after it are read', async () => {
    await send({ dailies: [{ userId: adaId, ...daily(2, 1) }] });
    await send({ dailies: [{ userId: adaId, ...daily(1, 2) }] });
    const tooLong = Object.assign(new Error('The job ran longer than it may'), { code: 'job_too_long' });
    await expect(fixture.reading.readDeliveries(interruptedAfter(1, tooLong))).rejects.toThrow();
    await fixture.reading.settle();
    expect(await steps()).toEqual([2]);
    await fixture.reading.pool.query('update webhook_delivery set next_try_at = now()');
    await fixture.reading.settle();
    expect(await steps()).toEqual([1, 2]);
  });

  it('a delivery with which ten processes ended is given up, and those after it are read', async () => {
    await send({ dailies: [{ userId: adaId, ...daily(2, 1) }] });
    await fixture.reading.pool.query('update webhook_delivery set attempts = 10');
    await send({ dailies: [{ userId: adaId, ...daily(1, 2) }] });
    await fixture.reading.settle();
    expect(await steps()).toEqual([2]);
    expect(await fixture.deliveries()).toEqual({ failed: 1, done: 1 });
  });

  it('a delivery is answered 503 while too many bytes wait, and taken once they are read', async () => {
    const body = { dailies: [{ userId: adaId, ...daily(1, 2) }] };
    expect(await send(body)).toBe(200);
    await fixture.reading.pool.query('update webhook_delivery set byte_size = 9e9');
    expect(await send(body)).toBe(503);
    await fixture.reading.settle();
    expect(await send(body)).toBe(200);
  });

  it('the bytes that may wait are a setting', async () => {
    const small = await openGarminFixture({ settings: { deliverySpoolMaxBytes: 10 } });
    try {
      await small.control.setPushTarget({ url: small.address });
      const body = JSON.stringify({ dailies: [{ userId: 'a stranger', ...daily(1, 2) }] });
      expect(await small.control.sendBody(body)).toBe(200);
      expect(await small.control.sendBody(body)).toBe(503);
    } finally {
      await small.close();
    }
  });

  it('what is kept of strangers has a smaller limit of its own, and takes no room from what waits to be read', async () => {
    const body = (name: string) => JSON.stringify({ dailies: [{ userId: `stranger ${name}`, ...daily(1, 2) }] });
    const bytes = body('1').length;
    // Two of them may be kept.
    const small = await openGarminFixture({ settings: { deliverySpoolMaxBytes: 8 * 2 * bytes } });
    try {
      await small.control.setPushTarget({ url: small.address, deliveries: 'held' });
      for (const name of ['1', '2', '3']) {
        expect(await small.control.sendBody(body(name))).toBe(200);
        await small.reading.settle();
      }
      const { rows } = await small.pool.query(
        'select file_deleted_at is null as kept, unmatched from webhook_delivery order by seq',
      );
      expect(rows).toEqual([
        { kept: false, unmatched: [] },
        { kept: true, unmatched: ['stranger 2'] },
        { kept: true, unmatched: ['stranger 3'] },
      ]);
      expect((await small.service.parts.deliveries.spool.list()).length).toBe(2);
      await small.pool.query('update webhook_delivery set byte_size = 9e9');
      expect(await small.control.sendBody(body('4'))).toBe(200);
    } finally {
      await small.close();
    }
  });

  it('an item that is nested too deep costs nothing beside it, and the log says which it is', async () => {
    const deep = `{"userId":"${adaId}","note":${'['.repeat(40)}${']'.repeat(40)}}`;
    const good = JSON.stringify({ userId: adaId, ...daily(1, 5) });
    expect(await fixture.control.sendBody(`{"dailies":[${deep},${good},${deep}]}`)).toBe(200);
    const warnings: unknown[] = [];
    const log = { debug: () => {}, info: () => {}, warn: (line: unknown) => void warnings.push(line), error: () => {} };
    const { signal } = new AbortController();
    const context = { signal, attempt: 1, log, touch: async () => {}, again: async () => true };
    await deliveryJob(fixture.service.parts.deliveries).run({ provider: 'garmin' }, context);
    expect(await steps()).toEqual([5]);
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    expect(warnings).toMatchObject([{ event: 'delivery_items_skipped', item: 1, code: 'too_deep', items: 2 }]);
  });

  it('old deliveries are deleted in batches, and found by an index', async () => {
    await fixture.pool.query(
      `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, state, received_at, file_deleted_at)
       select gen_random_uuid(), 'garmin', 'old ' || n, 1, '', 'done', now() - interval '31 days', now()
         from generate_series(1, 12000) n`,
    );
    await send({ dailies: [{ userId: adaId, ...daily(1, 5) }] });
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const { signal } = new AbortController();
    await deliveryCleaning(fixture.service.parts.deliveries).clean({ signal, log });
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    const { rows } = await fixture.pool.query(
      `select a.attname as leading from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = 'webhook_delivery'::regclass`,
    );
    expect(rows).toContainEqual({ leading: 'received_at' });
  });

  it('a delivery is 503 while too many are being received, and the answer says when to come again', async () => {
    const headers = { 'garmin-client-id': fixture.simulator.client.id };
    const refused = vi.fn();
    const begun = Array.from({ length: 40 }, () => {
      const sent = request(fixture.address, { method: 'POST', headers });
      const answer = new Promise<number | undefined>((resolve, reject) => {
        sent.once('response', (response) => resolve(response.resume().statusCode));
        sent.once('error', reject);
      });
      sent.write('{"dailies":[');
      answer.then(refused);
      return { sent, answer };
    });
    // Those that came too late are answered while the others go on.
    await expect.poll(() => refused.mock.calls).toEqual(Array.from({ length: 8 }, () => [503]));
    const another = () => fetch(fixture.address, { method: 'POST', headers, body: '{}' });
    const answer = await another();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const { sent } of begun) sent.end(']}');
    const statuses = await Promise.all(begun.map((one) => one.answer));
    expect(statuses.filter((status) => status === 200)).toHaveLength(32);
    expect((await another()).status).toBe(200);
  });

  it('what a delivery is to a run or a connection is found by an index when either is deleted', async () => {
    const { rows } = await fixture.reading.pool.query<{ leading: string }>(
      `select a.attname as leading from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = 'webhook_delivery_share'::regclass`,
    );
    expect([...new Set(rows.map(({ leading }) => leading))].sort()).toEqual(['connection_id', 'delivery_id', 'run_id']);
  });
});

describe('people', () => {
  it('a delivery about an unknown account is answered 200 and dropped', async () => {
    expect(await send({ dailies: [{ userId: 'a stranger', ...daily(1, 1) }] })).toBe(200);
    await fixture.reading.settle();
    expect(await fixture.deliveries()).toEqual({ done: 1 });
    expect(await steps()).toEqual([]);
  });

  it('what comes while a consent is under way is stored once the connection is there, and nothing of others twice', async () => {
    const { userId } = await fixture.control.addAccount({ id: 'ben' });
    await send({
      dailies: [
        { userId: adaId, ...daily(1, 1) },
        { userId, ...daily(1, 700) },
      ],
    });
    await fixture.reading.settle();
    const runs = (await fixture.reading.runsOf(ada.userKey)).length;
    const ben = await fixture.connect('ben');
    await fixture.reading.settle();
    expect(await steps(ben)).toEqual([700]);
    expect((await fixture.reading.runsOf(ada.userKey)).length).toBe(runs);
  });

  it('a consent that completes while its delivery is read is given what the delivery holds of it', async () => {
    const { userId } = await fixture.control.addAccount({ id: 'ben' });
    await send({
      dailies: [
        { userId, ...daily(1, 700) },
        { userId: adaId, ...daily(1, 1) },
      ],
    });
    // The reading has found no one for the first item by the time it waits to store the second.
    const holder = await fixture.pool.connect();
    let ben: ConnectedUser;
    try {
      await holder.query('begin');
      await holder.query('select 1 from health_user where user_key = $1 for update', [ada.userKey]);
      const reading = fixture.reading.readDeliveries();
      await expect
        .poll(async () => {
          const { rows } = await fixture.pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        })
        .toBe(1);
      ben = await fixture.connect('ben');
      await holder.query('commit');
      await reading;
    } finally {
      holder.release();
    }
    await fixture.reading.settle();
    expect(await steps(ben)).toEqual([700]);
    expect(await steps()).toEqual([1]);
    expect(await fixture.deliveries()).toEqual({ done: 1 });
  });

  it('two users with one account of the vendor are both given what it delivers', async () => {
    const other = await fixture.connect('ada');
    await send({ dailies: [{ userId: adaId, ...daily(1, 300) }] });
    await fixture.reading.settle();
    expect(await steps()).toEqual([300]);
    expect(await steps(other)).toEqual([300]);
  });

  it('what comes while the provider is switched off is stored when it is on again', async () => {
    const { uses } = fixture.reading.connections;
    await uses.change('garmin', { isEnabled: false });
    expect(await send({ dailies: [{ userId: adaId, ...daily(1, 44) }] })).toBe(200);
    await fixture.reading.settle();
    expect(await steps()).toEqual([]);
    await uses.change('garmin', { isEnabled: true });
    await fixture.reading.settle();
    expect(await steps()).toEqual([44]);
  });
});

describe('deliveries that come twice, late and in the wrong order', () => {
  it('a delivery that comes twice stores nothing twice', async () => {
    await fixture.control.put('ada', { dailies: [daily(1, 10)], sleeps: [night('n', 0, 7, 'ENHANCED_FINAL')] });
    await flush({ twice: true });
    expect(await steps()).toEqual([10]);
    expect(await fixture.nights(ada.userKey)).toHaveLength(1);
  });

  it('a day that grows replaces itself, also where the shorter version comes last', async () => {
    await send({ dailies: [{ userId: adaId, ...daily(1, 900) }] });
    await send({ dailies: [{ userId: adaId, ...daily(1, 400, 40_000) }] });
    await fixture.reading.settle();
    expect(await steps()).toEqual([900]);
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({ items: { superseded: 1 } });
    await send({ dailies: [{ userId: adaId, ...daily(1, 950) }] });
    await fixture.reading.settle();
    expect(await steps()).toEqual([950]);
  });

  it.each([
    ['in order', false],
    ['in the wrong order', true],
  ])('the final version of a night takes the place of the tentative one, with both %s', async (_, isReversed) => {
    const tentative = { sleeps: [{ userId: adaId, ...night('t-1', 0, 6, 'ENHANCED_TENTATIVE') }] };
    const final = { sleeps: [{ userId: adaId, ...night('f-2', -1, 8, 'ENHANCED_FINAL') }] };
    for (const body of isReversed ? [final, tentative] : [tentative, final]) await send(body);
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: 'f-2', asleep_seconds: 8 * 3_600 }]);
  });

  it('both versions of a night in one body leave the final one', async () => {
    const versions = [night('f-2', -1, 8, 'AUTO_FINAL'), night('t-1', 0, 6, 'AUTO_TENTATIVE')];
    await send({ sleeps: versions.map((one) => ({ userId: adaId, ...one })) });
    await fixture.reading.settle();
    expect(await fixture.nights(ada.userKey)).toMatchObject([{ external_id: 'f-2' }]);
  });

  it('details before their activity and after it make the same workout', async () => {
    const summary = {
      activityId: 77,
      activityType: 'RUNNING',
      startTimeInSeconds: today - 7_200,
      startTimeOffsetInSeconds: 0,
      durationInSeconds: 3_000,
      deviceName: 'Forerunner 265',
    };
    const details = {
      activityId: 77,
      summary,
      samples: [{ startTimeInSeconds: today - 7_000, heartRate: 120 }],
      laps: [{ startTimeInSeconds: today - 7_200 }],
    };
    await send({ activityDetails: [{ userId: adaId, ...details }] });
    await send({ activities: [{ userId: adaId, summaryId: '77', ...summary, distanceInMeters: 9_000 }] });
    await fixture.reading.settle();
    expect(await fixture.workouts(ada.userKey)).toMatchObject([
      { external_id: '77', type: 'running', distance_meters: 9_000, events: [{ type: 'lap' }] },
    ]);
  });

  it('an edited activity changes its workout in place', async () => {
    const run = { activityId: 78, startTimeInSeconds: today - 9_000, durationInSeconds: 600, deviceName: 'Fenix' };
    await send({ activities: [{ userId: adaId, ...run, activityType: 'RUNNING' }] });
    await send({
      manuallyUpdatedActivities: [{ userId: adaId, ...run, durationInSeconds: 900, activityType: 'HIKING' }],
    });
    await fixture.reading.settle();
    const workouts = await fixture.workouts(ada.userKey);
    expect(workouts).toMatchObject([{ external_id: '78', type: 'hiking' }]);
    expect(workouts[0].end_at.getTime() - workouts[0].start_at.getTime()).toBe(900_000);
  });
});

it('a delivery whose reading is interrupted again and again is stored once, and counted once', async () => {
  const heart = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [String(at * 15), 60 + (at % 50)]));
  const dailies = Array.from({ length: 150 }, (_, at) => ({
    userId: adaId,
    ...daily(1 + at, 1_000 + at),
    timeOffsetHeartRateSamples: heart,
  }));
  expect(await send({ dailies })).toBe(200);
  let interrupted = 0;
  for (const items of [1, 70, 80, 120, 149]) {
    await fixture.reading.readDeliveries(interruptedAfter(items)).catch(() => {
      interrupted += 1;
    });
    expect(await fixture.deliveries()).toEqual({ received: 1 });
  }
  expect(interrupted).toBe(5);
  // Some of it is stored by then, and the rest is not.
  const before = (await steps()).length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(150);
  await fixture.reading.settle();
  expect((await steps()).length).toBe(150);
  expect((await fixture.samples(ada.userKey, 'heart_rate')).length).toBe(300_000);
  const runs = (await fixture.reading.runsOf(ada.userKey)).filter(({ source }) => source === 'webhook');
  expect(runs).toMatchObject([{ status: 'success', metadata: { data_types: { dailies: { received: 150 } } } }]);
});

/** A signal of a process that ends after it has asked this often whether it is to stop. */
function interruptedAfter(times: number, reason = new Error('killed')): AbortSignal {
  const controller = new AbortController();
  let left = times;
  return new Proxy(controller.signal, {
    get(target, name) {
      if (name === 'throwIfAborted' && --left < 0) controller.abort(reason);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

it('what the simulated vendor holds of a month is what is stored, down to the totals of each day', async () => {
  await fixture.control.seedHistory('ada', { seed: 5, days: 30 });
  const held = await fixture.control.summaries('ada');
  for (const [key, list] of Object.entries(held)) expect(await send({ [key]: list ?? [] })).toBe(200);
  await fixture.reading.settle();
  const truth = await fixture.control.truth('ada');
  const totals = async (code: Parameters<GarminFixture['samples']>[1]) =>
    (await fixture.samples(ada.userKey, code, 1)).map(({ atMs, value }) => [atMs, value]);
  const ofDays = (
    member: 'steps' | 'meters' | 'kilocalories' | 'basalKilocalories' | 'floors' | 'activeMinutes' | 'restingHeartRate',
  ) => truth.days.map((day) => [day.startMs, day[member]]);
  expect(await totals('steps')).toEqual(ofDays('steps'));
  expect(await totals('distance_walking_running')).toEqual(ofDays('meters'));
  expect(await totals('energy')).toEqual(ofDays('kilocalories'));
  expect(await totals('basal_energy')).toEqual(ofDays('basalKilocalories'));
  expect(await totals('flights_climbed')).toEqual(ofDays('floors'));
  expect(await totals('active_time')).toEqual(ofDays('activeMinutes'));
  expect(await totals('resting_heart_rate')).toEqual(ofDays('restingHeartRate'));
  const epochs = await fixture.samples(ada.userKey, 'steps', 0);
  expect(epochs.reduce((sum, { value }) => sum + value, 0)).toBe(truth.epochSteps);
  const sleep = await fixture.nights(ada.userKey);
  expect(
    sleep
      .filter(({ is_nap }) => !is_nap)
      .map((row) => [row.start_at.getTime(), row.end_at.getTime(), row.asleep_seconds / 60, row.awake_seconds / 60]),
  ).toEqual(truth.nights.map((one) => [one.startMs, one.endMs, one.asleepMinutes, one.awakeMinutes]));
  expect(sleep.filter(({ is_nap }) => is_nap).map((row) => [row.start_at.getTime(), row.end_at.getTime()])).toEqual(
    truth.naps.map((one) => [one.startMs, one.endMs]),
  );
  expect(
    (await fixture.workouts(ada.userKey)).map((row) => [
      row.external_id,
      row.start_at.getTime(),
      row.end_at.getTime(),
      row.distance_meters,
      row.calories_kcal,
      row.user_entered === true,
      row.events?.length ?? 0,
    ]),
  ).toEqual(
    truth.activities.map((one) => [
      one.id,
      one.startMs,
      one.endMs,
      one.meters,
      one.kilocalories,
      one.isManual,
      one.laps,
    ]),
  );
  const scores = new Map((await fixture.scores(ada.userKey)).map(({ id, value }) => [id, value]));
  for (const { date: day, stress, bodyBattery } of truth.days) {
    expect(scores.get(`stress/${day}`)).toBe(stress);
    expect(scores.get(`body_battery/${day}`)).toBe(bodyBattery);
  }
  expect([...scores].filter(([id]) => id.startsWith('sleep/')).map(([, value]) => value)).toEqual(
    truth.nights.map(({ score }) => score),
  );
  expect(await fixture.samples(ada.userKey, 'heart_rate_variability_rmssd', 2)).toEqual(truth.nightlyRmssd);
  expect(await fixture.samples(ada.userKey, 'weight')).toEqual(truth.weights);
});

describe('an activity that is too large to be read in one piece', () => {
  const start = today - 2 * DAY;
  const seconds = Array.from({ length: 3_000 }, (_, at) => ({
    startTimeInSeconds: start + at,
    heartRate: 100 + (at % 70),
    powerInWatts: at % 400,
    elevationInMeters: 200 + (at % 90),
    movingDurationInSeconds: at,
    note: 'x'.repeat(400),
  }));
  const summary = {
    activityType: 'CYCLING',
    startTimeInSeconds: start,
    startTimeOffsetInSeconds: 0,
    durationInSeconds: 3_000,
    deviceName: 'Edge',
  };
  const large = () => ({
    samples: seconds,
    activityId: 9,
    summary,
    laps: [{ startTimeInSeconds: start }],
    userId: adaId,
  });

  it('a large activity is stored as it would be in one piece, counted once, however often its reading is interrupted', async () => {
    expect(JSON.stringify(large()).length).toBeGreaterThan(1_400_000);
    await send({ activityDetails: [large()], dailies: [{ userId: adaId, ...daily(1, 5) }] });
    for (const times of [3, 6]) await fixture.reading.readDeliveries(interruptedAfter(times)).catch(() => {});
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    await fixture.reading.settle();
    expect((await fixture.samples(ada.userKey, 'heart_rate')).length).toBe(3_000);
    expect((await fixture.samples(ada.userKey, 'power')).map(({ value }) => value)).toEqual(
      seconds.map(({ powerInWatts }) => powerInWatts),
    );
    expect(await steps()).toEqual([5]);
    const { rows } = await fixture.pool.query(
      `select external_id, heart_rate_min, average_watts, max_watts, elevation_low_meters, elevation_high_meters,
              moving_seconds, jsonb_array_length(events) as laps from workout`,
    );
    const mean = seconds.reduce((sum, { powerInWatts }) => sum + powerInWatts, 0) / seconds.length;
    expect(rows).toEqual([
      {
        external_id: '9',
        heart_rate_min: 100,
        average_watts: expect.closeTo(mean, 1),
        max_watts: 399,
        elevation_low_meters: 200,
        elevation_high_meters: 289,
        moving_seconds: 2_999,
        laps: 1,
      },
    ]);
    expect((await fixture.lastRun(ada)).metadata.data_types).toMatchObject({
      activityDetails: { status: 'success', received: 1, rejected: 0 },
      dailies: { received: 1 },
    });
  });

  it('a large item that cannot be cut is rejected in the run of its person, and those beside it are stored', async () => {
    const odd = { userId: adaId, ...daily(2, 1), note: 'x'.repeat(700_000) };
    await send({ dailies: [odd, { userId: adaId, ...daily(1, 5) }] });
    await fixture.reading.settle();
    expect(await steps()).toEqual([5]);
    expect((await fixture.lastRun(ada)).metadata.data_types.dailies).toMatchObject({
      received: 2,
      rejected_by_reason: { item_too_large: 1 },
    });
  });
});
