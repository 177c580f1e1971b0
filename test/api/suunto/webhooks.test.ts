import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type SuuntoSample, type SuuntoSimulator, type SuuntoWorkout, startSuuntoSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const UNBOUNDED = 1_000_000;
const BASE_MS = Math.floor((Date.now() - 2 * MS_PER_DAY) / MS_PER_DAY) * MS_PER_DAY;
/** Formats a time at +02:00. @param hours after a midnight UTC some days ago */
const at = (hours: number) => `${new Date(BASE_MS + (hours + 2) * MS_PER_HOUR).toISOString().slice(0, 23)}+02:00`;
const ms = (hours: number) => BASE_MS + hours * MS_PER_HOUR;

let fixture: VendorFixture<SuuntoSimulator>;
let ada: ConnectedUser;
let address: string;
let number = 0;
let username: string;
beforeAll(async () => {
  const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
  fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }));
  address = `${fixture.service.url}/api/v1/providers/suunto/webhooks`;
});
afterAll(() => fixture.close());
beforeEach(async () => {
  username = `merika-${++number}`;
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', userId: username, timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.setWebhook({ url: address });
  await fixture.control.holdDeliveries(true);
});

const night = (data: Record<string, unknown> = {}, hours = 21): SuuntoSample => ({
  timestamp: at(hours),
  entryData: {
    SleepId: 1_746_302_340,
    BedtimeStart: at(hours),
    BedtimeEnd: at(hours + 8),
    Duration: 28_800,
    DeepSleepDuration: 5_400,
    LightSleepDuration: 14_400,
    REMSleepDuration: 7_200,
    IsNap: false,
    SleepQualityScore: 79,
    HRMin: 46,
    AvgHRV: 58,
    MaxSpo2: 0.97,
    ...data,
  },
});
const interim = (data: Record<string, unknown> = {}) =>
  night({
    SleepId: 0,
    BedtimeEnd: null,
    Duration: 10_800,
    IsNap: true,
    DeepSleepDuration: null,
    LightSleepDuration: null,
    REMSleepDuration: null,
    SleepQualityScore: null,
    ...data,
  });
const run: SuuntoWorkout = {
  workoutKey: '66a1f0c2d4b9e7735c1e0b42',
  activityId: 22,
  startTime: ms(8),
  totalTime: 3_725.4,
  totalDistance: 9_480,
  gear: { displayName: 'Suunto Race S', swVersion: '2.41.30' },
};
const samples = (kind: string, ...list: unknown[]) => ({ type: `SUUNTO_247_${kind}_CREATED`, username, samples: list });

async function send(message: object, secret?: string) {
  const status = await fixture.control.sendEvent(message, secret === undefined ? {} : { secret });
  await fixture.reading.settle();
  return status;
}
const sign = (body: string | Buffer) =>
  createHmac('sha256', fixture.simulator.settings.WEBHOOK_SECRET).update(body).digest('hex');
async function post(body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(address, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) });
  await fixture.reading.settle();
  return response.status;
}
const typesOf = (run: Awaited<ReturnType<typeof fixture.pull>>) => run?.metadata.data_types as Record<string, object>;
const nights = () => fixture.nights(ada.userKey);
const values = async (code: Parameters<typeof fixture.samples>[1]) =>
  (await fixture.samples(ada.userKey, code)).map(({ value }) => Math.round(value * 10) / 10);
const workouts = async () =>
  (
    await fixture.pool.query(
      `select external_id, type, distance_meters, total_calories_kcal, s.device_model from workout w
         join data_source s using (source_id) where w.user_key = $1 order by start_at`,
      [ada.userKey],
    )
  ).rows;
const deliveries = async () => (await fixture.pool.query('select 1 from webhook_delivery')).rowCount ?? 0;

describe('a notification', () => {
  it('is stored after its 200 response without a vendor request', async () => {
    await fixture.control.clearRequests();
    expect(await fixture.control.sendEvent(samples('SLEEP', night()))).toBe(200);
    expect(await nights()).toEqual([]);
    await fixture.reading.settle();
    expect(await nights()).toMatchObject([{ external_id: '1746302340', is_nap: false, asleep_seconds: 27_000 }]);
    expect(await values('resting_heart_rate')).toEqual([46]);
    expect(await values('heart_rate_variability_rmssd')).toEqual([58]);
    // The highest saturation is not the saturation of the night.
    expect(await values('oxygen_saturation')).toEqual([]);
    expect(await fixture.control.requests()).toEqual([]);
    expect(await fixture.lastRun(ada)).toMatchObject({ source: 'webhook', status: 'success' });
  });

  it.each([
    ['with another secret', () => send(samples('SLEEP', night()), 'another secret')],
    ['without a signature', () => post(JSON.stringify(samples('SLEEP', night())), {})],
    ['with a signature of another body', () => post('{}', { 'x-hmac-sha256-signature': sign('[]') })],
    ['with capitals in its signature', () => post('{}', { 'x-hmac-sha256-signature': sign('{}').toUpperCase() })],
    [
      'signed in base64',
      () => post('{}', { 'x-hmac-sha256-signature': Buffer.from(sign('{}'), 'hex').toString('base64') }),
    ],
  ])('%s gets 401 without being stored', async (_, sent) => {
    const before = await deliveries();
    expect(await sent()).toBe(401);
    expect(await deliveries()).toBe(before);
    expect(await nights()).toEqual([]);
  });

  it('with a wrong signature is counted as badly signed', async () => {
    const badlySigned = async () =>
      (
        await fixture.pool.query(
          `select notifications::int from notification_count where provider = 'suunto' and outcome = 'badly_signed'`,
        )
      ).rows[0]?.notifications ?? 0;
    await send(samples('SLEEP', night()), 'another secret');
    // Polls, because the service writes the counts only every ten seconds.
    await expect.poll(badlySigned, { interval: 1_000, timeout: 60_000 }).toBeGreaterThan(0);
  });

  it.each([
    ['of an unknown type', { type: 'SUUNTO_247_MOOD_CREATED', samples: [{}] }],
    ['about a route', { type: 'ROUTE_CREATED', route: { id: 1 } }],
    ['without a type', {}],
    ['without samples', { type: 'SUUNTO_247_SLEEP_CREATED' }],
    ['with invalid samples', { type: 'SUUNTO_247_ACTIVITY_CREATED', samples: [null, 7, 'x', {}] }],
    ['without a workout', { type: 'WORKOUT_CREATED' }],
  ])('%s with a valid signature gets 200', async (_, message) => {
    expect(await send({ username, ...message })).toBe(200);
    expect(await fixture.everything(ada.userKey)).toEqual([]);
  });

  it.each(['no JSON', '', '{"type":"SUUNTO_247_SLEEP', 'username=merika&workoutid=66a1f0c2d4b9e7735c1e0b42'])(
    'with an unreadable body and a valid signature gets 200: %s',
    async (body) => {
      expect(await post(body, { 'x-hmac-sha256-signature': sign(body) })).toBe(200);
      expect(await fixture.everything(ada.userKey)).toEqual([]);
    },
  );

  it('is signed over its raw bytes, including spaces and compression', async () => {
    const spaced = JSON.stringify(samples('SLEEP', night()), null, 3);
    expect(await post(spaced, { 'x-hmac-sha256-signature': sign(spaced) })).toBe(200);
    expect(await nights()).toHaveLength(1);
    const packed = gzipSync(JSON.stringify(samples('RECOVERY', { timestamp: at(7), entryData: { Balance: 0.5 } })));
    const headers = { 'x-hmac-sha256-signature': sign(packed), 'content-encoding': 'gzip' };
    expect(await post(packed, headers)).toBe(200);
    expect(await fixture.scores(ada.userKey)).toHaveLength(2);
  });

  it('for an unconnected user is stored until the connection', async () => {
    await fixture.control.addAccount({ id: 'bob', userId: `bob-${number}`, timeZone: 'UTC' });
    expect(await send({ ...samples('SLEEP', night()), username: `bob-${number}` })).toBe(200);
    expect(await nights()).toEqual([]);
    const bob = await fixture.connect('bob');
    await fixture.reading.settle();
    expect(await fixture.nights(bob.userKey)).toHaveLength(1);
  });

  it('is stored for both users of one account', async () => {
    const other = await fixture.connect('ada');
    await fixture.reading.settle();
    await send(samples('SLEEP', night()));
    expect(await nights()).toHaveLength(1);
    expect(await fixture.nights(other.userKey)).toHaveLength(1);
  });

  it('is always rejected without the notification secret', async () => {
    const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
    const simulator = await startSuuntoSimulator({ autoConsent: true, limits });
    const { WEBHOOK_SECRET: _, ...settings } = simulator.settings;
    const open = await openVendorFixture('suunto', { ...simulator, settings });
    try {
      const headers = { 'x-hmac-sha256-signature': createHmac('sha256', '').update('{}').digest('hex') };
      const url = `${open.service.url}/api/v1/providers/suunto/webhooks`;
      expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    } finally {
      await open.close();
    }
  });
});

describe('a night', () => {
  it.each([
    ['in the order of the watch', false],
    ['in the wrong order', true],
  ])('in several versions, %s, is stored once, from the version with stages', async (_, isReversed) => {
    const versions = [interim(), interim({ Duration: 18_000 }), night(), night({ Duration: 29_400, AvgHRV: 61 })];
    for (const version of isReversed ? versions.toReversed() : versions) await send(samples('SLEEP', version));
    expect(await nights()).toMatchObject([
      { external_id: '1746302340', is_nap: false, asleep_seconds: 27_000, end_at: new Date(ms(29)) },
    ]);
    expect(await values('heart_rate_variability_rmssd')).toEqual([61]);
    expect(await fixture.scores(ada.userKey)).toEqual([{ id: 'sleep/1746302340', value: 79 }]);
  });

  it('with eight copies in one notification is stored once', async () => {
    const copies = Array.from({ length: 7 }, (_, n) => interim({ Duration: 3_600 + n * 600 }));
    await send(samples('SLEEP', ...copies.slice(0, 4), night(), ...copies.slice(4)));
    expect(await nights()).toMatchObject([{ external_id: '1746302340', is_nap: false }]);
  });

  it('ignores an interim version after a sync stored the night', async () => {
    await fixture.control.put('ada', { sleep: [interim(), night()] }, { notify: false });
    await fixture.pull(ada);
    const before = await fixture.everything(ada.userKey);
    await send(samples('SLEEP', interim({ Duration: 18_000 })));
    expect(await fixture.everything(ada.userKey)).toEqual(before);
    expect(await nights()).toMatchObject([{ external_id: '1746302340', asleep_seconds: 27_000 }]);
  });

  it('replaces an interim version with the final version', async () => {
    await fixture.control.put('ada', { sleep: [interim({ BedtimeStart: at(21.4) })] }, { notify: false });
    await fixture.pull(ada);
    await send(samples('SLEEP', night()));
    expect(await nights()).toMatchObject([{ external_id: '1746302340', is_nap: false }]);
  });

  it('moves its resting heart rate when its end changes', async () => {
    await send(samples('SLEEP', night()));
    await send(samples('SLEEP', night({ BedtimeEnd: at(29.5), Duration: 30_600, HRMin: 45 })));
    expect(await fixture.samples(ada.userKey, 'resting_heart_rate')).toEqual([{ atMs: ms(29.5), value: 45 }]);
    expect(await nights()).toHaveLength(1);
  });

  it('is separate from a nap without a resting heart rate', async () => {
    await send(
      samples(
        'SLEEP',
        night(),
        night({ SleepId: 7, IsNap: true, BedtimeStart: at(36), BedtimeEnd: at(37), Duration: 3_600 }, 36),
      ),
    );
    expect((await nights()).map((one: { is_nap: boolean }) => one.is_nap)).toEqual([false, true]);
    expect(await values('resting_heart_rate')).toEqual([46]);
  });

  it('changes in a later sync only after a vendor change', async () => {
    await fixture.control.put('ada', { sleep: [interim(), night()] });
    expect((await fixture.control.flushDeliveries({ twice: true })).map(({ status }) => status)).toEqual([200, 200]);
    await fixture.reading.settle();
    const before = await fixture.everything(ada.userKey);
    expect(before.length).toBeGreaterThan(3);
    const types = typesOf(await fixture.pull(ada));
    expect(types.sleep).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
    expect(await fixture.everything(ada.userKey)).toEqual(before);
    await fixture.control.put('ada', { sleep: [night({ Duration: 29_400, HRMin: 44 })] }, { notify: false });
    await fixture.pull(ada);
    expect(await values('resting_heart_rate')).toEqual([44]);
    expect(await nights()).toHaveLength(1);
  });
});

describe('daytime measurements', () => {
  const ten = (minutes: number, entryData: object) => ({ timestamp: at(6 + minutes / 60), entryData });

  it('become heart rates, steps and kilocalories without nulls and zeros', async () => {
    await send(
      samples(
        'ACTIVITY',
        ten(0, { HR: 71, StepCount: 142, EnergyConsumption: 62_760, HRV: 47, SpO2: 0.96 }),
        ten(10, { HR: 0, StepCount: null, EnergyConsumption: 41_840 }),
      ),
    );
    expect(await values('heart_rate')).toEqual([71]);
    expect(await values('steps')).toEqual([142]);
    expect(await values('energy')).toEqual([15, 10]);
    expect(await values('heart_rate_variability_rmssd')).toEqual([47]);
    expect(await values('oxygen_saturation')).toEqual([96]);
  });

  it('count once when a push or sync restates them', async () => {
    const first = ten(0, { StepCount: 100 }) as SuuntoSample;
    const restated = ten(0, { StepCount: 180 }) as SuuntoSample;
    await send(samples('ACTIVITY', first));
    await send(samples('ACTIVITY', first, restated));
    expect(await values('steps')).toEqual([180]);
    await send(samples('ACTIVITY', first));
    expect(await values('steps')).toEqual([180]);
    await fixture.control.put('ada', { activity: [ten(0, { StepCount: 210 }) as SuuntoSample] }, { notify: false });
    await fixture.pull(ada);
    expect(await values('steps')).toEqual([210]);
  });

  it('with a bad record lose only that record, with a reason', async () => {
    await send(samples('ACTIVITY', { timestamp: 'yesterday', entryData: { HR: 60 } }, ten(0, { HR: 64 }), null));
    expect(await values('heart_rate')).toEqual([64]);
    const types = typesOf(await fixture.lastRun(ada));
    expect(types.activity).toMatchObject({ inserted: 1, rejected: 2 });
  });

  it('of recovery become a percentage with the state as text', async () => {
    await send(
      samples(
        'RECOVERY',
        ten(0, { Balance: 0.71, StressState: 3 }),
        ten(30, { Balance: 0.29, StressState: 0 }),
        ten(60, { Balance: 1.4, StressState: 1 }),
        ten(90, { Balance: null, StressState: 1 }),
      ),
    );
    const { body } = await fixture.call(
      'GET',
      `/api/v1/users/${ada.userId}/health-scores?start_date=${at(0).slice(0, 10)}&end_date=${at(48).slice(0, 10)}`,
    );
    expect(body.data).toMatchObject([
      { provider: 'suunto', category: 'recovery', value: 29, qualifier: null },
      {
        value: 71,
        qualifier: 'Passive',
        components: { stress_state: { value: 3, qualifier: 'Passive' } },
      },
    ]);
  });
});

describe('a workout', () => {
  it('is completed by the sync after its push', async () => {
    await fixture.control.put('ada', {
      workouts: [{ ...run, energyConsumption: 640, hrdata: { hrmax: 171, max: 190 } }],
    });
    expect((await fixture.control.flushDeliveries()).map(({ status }) => status)).toEqual([200]);
    await fixture.reading.settle();
    expect(await workouts()).toEqual([
      {
        external_id: run.workoutKey,
        type: 'trail_running',
        distance_meters: 9_480,
        total_calories_kcal: null,
        device_model: 'Suunto Race S',
      },
    ]);
    await fixture.pull(ada);
    expect(await workouts()).toMatchObject([{ total_calories_kcal: 640, device_model: 'Suunto Race S' }]);
    await send({ type: 'WORKOUT_CREATED', username, workout: { ...run, gear: undefined } });
    expect(await workouts()).toMatchObject([{ total_calories_kcal: 640 }]);
  });

  it('keeps its corrected date despite a late notification', async () => {
    const dates = async () => {
      const { rows } = await fixture.pool.query<{ start_at: Date }>(
        'select start_at from workout where user_key = $1',
        [ada.userKey],
      );
      return rows.map(({ start_at }) => start_at.getTime());
    };
    const corrected = { ...run, startTime: run.startTime - 2 * MS_PER_DAY };
    await fixture.control.put('ada', { workouts: [corrected] }, { notify: false });
    await fixture.pull(ada);
    expect(await dates()).toEqual([corrected.startTime]);
    await send({ type: 'WORKOUT_CREATED', username, workout: run });
    expect(await dates()).toEqual([corrected.startTime]);
  });

  it('follows its edit or deletion in the next sync', async () => {
    const old = { ...run, startTime: Date.now() - 40 * MS_PER_DAY };
    const later = { ...run, workoutKey: 'b'.repeat(24), startTime: run.startTime + 3 * MS_PER_HOUR };
    const listed = [old, { ...run, workoutKey: 'a'.repeat(24) }, later];
    await fixture.control.put('ada', { workouts: listed }, { notify: false });
    await fixture.pull(ada);
    expect(await workouts()).toHaveLength(3);
    await fixture.control.put('ada', { workouts: [{ ...old, totalDistance: 9_000 }] }, { notify: false });
    await fixture.control.removeWorkout('ada', 'a'.repeat(24));
    await fixture.pull(ada);
    expect(await workouts()).toMatchObject([
      { external_id: run.workoutKey, distance_meters: 9_000 },
      { external_id: later.workoutKey },
    ]);
  });
});
