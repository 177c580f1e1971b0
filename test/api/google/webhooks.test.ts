import { schedulePulls } from '@healthd/daemon/ingest/pull';
import { MS_PER_DAY, MS_PER_HOUR, SECONDS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture, WEBHOOK_SECRET } from './google-fixture.js';

let fixture: GoogleFixture;
beforeEach(async () => {
  fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
});
afterEach(() => fixture.close());

const PATH = '/api/v1/providers/google/webhooks';
const good = { authorization: `Bearer ${WEBHOOK_SECRET}` };
const send = (body: unknown, headers: Record<string, string> = good) =>
  fixture.service.anonymous('POST', PATH, body, headers);

async function connected(account = 'anna', grants = GRANTS.activity) {
  await fixture.control.addAccount({ id: account, timeZone: 'America/Los_Angeles', grants });
  const user = await fixture.connect(account);
  await fixture.reading.settle();
  return user;
}

async function reported(account: string, facts: Record<string, unknown> = {}) {
  const known = (await fixture.control.accounts()).find(({ id }) => id === account);
  const interval = { startTime: '2026-11-10T08:00:00Z', endTime: '2026-11-10T09:00:00Z' };
  return {
    data: {
      version: '1',
      healthUserId: known?.healthUserId ?? account,
      operation: 'UPSERT',
      dataType: 'steps',
      intervals: [{ physicalTimeInterval: interval }],
      ...facts,
    },
  };
}

const notifications = async () =>
  (await fixture.pool.query('select data_type, operation, state from provider_notification order by seq')).rows;
const webhookRuns = async (userKey: number) =>
  (await fixture.reading.runsOf(userKey)).filter(({ source }) => source === 'webhook');
const walk = (id: string, hour: string, value: number) => ({
  dataType: 'steps',
  id,
  value,
  startTime: `2026-11-10T${hour}:10:00Z`,
  endTime: `2026-11-10T${hour}:20:00Z`,
});

describe('the verification', () => {
  it('responds 201 only with the secret', async () => {
    expect((await send({ type: 'verification' })).status).toBe(201);
    expect((await send({ type: 'verification' }, {})).status).toBe(401);
    expect((await send({ type: 'verification' }, { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

describe('a delivery', () => {
  it.each(['array', 'object'])('in %s form triggers a new read', async (form) => {
    const anna = await connected();
    await fixture.control.addPoints('anna', [walk('a', '08', 700)], { notify: false });
    const item = await reported('anna');
    const response = await send(form === 'array' ? [item] : item);
    expect(response.status).toBe(204);
    expect(response.body).toBe('');
    expect(await notifications()).toEqual([{ data_type: 'steps', operation: 'upsert', state: 'received' }]);
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'steps')).toMatchObject([{ value: 700 }]);
    expect(await notifications()).toEqual([{ data_type: 'steps', operation: 'upsert', state: 'done' }]);
    const [run, ...more] = await webhookRuns(anna.userKey);
    expect(run).toMatchObject({ status: 'success', metadata: { data_types: { steps: { inserted: 1 } } } });
    expect(run.run_id).toMatch(/^wh_[0-9a-f]{16}$/);
    expect(more).toEqual([]);
    expect((await fixture.reading.connections.findConnectionById(anna.connectionId))?.lastNotifiedAt).toBeDefined();
  });

  it('with a wrong secret gets 401 without being stored', async () => {
    await connected();
    const item = await reported('anna');
    const headers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer x' },
      { authorization: 'Bearer \u00e4\u00f6\u00fc' },
    ];
    for (const sent of headers) {
      const response = await send([item], sent);
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ detail: 'Invalid webhook signature' });
    }
    expect(await notifications()).toEqual([]);
  });

  it('about an unknown type or user causes no request', async () => {
    await connected();
    await fixture.control.clearRequests();
    const items = [
      await reported('anna', { dataType: 'moon-phase' }),
      // The vendor may report these data types, although the service polls them.
      await reported('anna', { dataType: 'active-minutes' }),
      await reported('anna', { dataType: 'floors' }),
      await reported('nobody', { healthUserId: '99' }),
    ];
    expect((await send(items)).status).toBe(204);
    expect(await notifications()).toEqual([]);
    await fixture.reading.settle();
    expect(await fixture.control.requests({ role: 'api' })).toEqual([]);
  });

  it('is not required for polled active minutes', async () => {
    const { uses } = fixture.reading.connections;
    await uses.change('google', { liveSyncMode: 'webhook' });
    await uses.setSubscriberState('google', 'active');
    const anna = await connected();
    await fixture.control.clearRequests();
    const value = { activeMinutesByActivityLevel: [{ activityLevel: 'LIGHT', activeMinutes: '3' }] };
    const at = { startTime: '2026-11-10T12:10:00Z', endTime: '2026-11-10T12:20:00Z' };
    const minutes = { dataType: 'active-minutes', id: 'm', value, ...at };
    await fixture.control.addPoints('anna', [minutes, walk('a', '12', 700)], { notify: false });
    await fixture.wait(6 * SECONDS_PER_HOUR);
    expect(await schedulePulls(fixture.reading.services, ['google'], new AbortController().signal)).toBe(1);
    await fixture.wait(3_600);
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'active_time')).toMatchObject([{ value: 3 }]);
    const paths = (await fixture.control.requests({ role: 'api' })).map(({ path }) => path);
    expect(paths).toContain('/v4/users/me/dataTypes/active-minutes/dataPoints:reconcile');
    expect(paths.filter((path) => path.includes('/steps/'))).toEqual([]);
  });

  it('with an unknown user is stored for the known users', async () => {
    await connected();
    await send([await reported('nobody', { healthUserId: '99', operation: 'DELETE' }), await reported('anna')]);
    expect(await notifications()).toEqual([{ data_type: 'steps', operation: 'upsert', state: 'received' }]);
  });

  it('about a disconnected user gets 204 without being stored', async () => {
    const anna = await connected();
    await fixture.pool.query(`update connection set status = 'revoked' where id = $1`, [anna.connectionId]);
    expect((await send([await reported('anna')])).status).toBe(204);
    expect(await notifications()).toEqual([]);
  });

  it('with an invalid item stores the valid items', async () => {
    const anna = await connected();
    await fixture.control.addPoints('anna', [walk('a', '08', 700)], { notify: false });
    const items = [
      { data: null },
      7,
      await reported('anna', { intervals: [{}] }),
      await reported('anna'),
      { data: { healthUserId: 3 } },
    ];
    expect((await send(items)).status).toBe(204);
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'steps')).toMatchObject([{ value: 700 }]);
  });

  it('of invalid JSON gets 400, but only with the secret', async () => {
    expect((await send('{"type":', good)).status).toBe(400);
    expect((await send('{"type":', {})).status).toBe(401);
  });

  it('without the secret is rejected before its body is read', async () => {
    const response = await fixture.service.anonymous('POST', PATH, 'x'.repeat(3 * 1024 * 1024), {});
    expect(response.status).toBe(401);
    expect((await send('x'.repeat(3 * 1024 * 1024))).status).toBe(413);
  });

  it('with ten thousand changes of one user becomes one run', async () => {
    const anna = await connected();
    const item = await reported('anna');
    const items = Array.from({ length: 10_000 }, (_, index) => {
      const startTime = new Date(Date.parse('2026-11-08T00:00:00Z') + index * 15_000).toISOString();
      return {
        data: {
          ...item.data,
          version: undefined,
          intervals: [{ physicalTimeInterval: { startTime, endTime: startTime } }],
        },
      };
    });
    expect((await send(items)).status).toBe(204);
    expect(await notifications()).toHaveLength(1);
    await fixture.reading.settle();
    expect(await webhookRuns(anna.userKey)).toHaveLength(1);
  });

  it('naming ten thousand users needs little processor time', async () => {
    const anna = await connected();
    const item = await reported('anna');
    const short = { dataType: 'steps', intervals: item.data.intervals };
    const items = Array.from({ length: 9_999 }, (_, index) => ({ ...short, healthUserId: `nobody-${index}` }));
    const before = process.cpuUsage();
    expect((await send([...items, { ...short, healthUserId: item.data.healthUserId }])).status).toBe(204);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000, 'milliseconds of processor time').toBeLessThan(3_000);
    await fixture.reading.settle();
    expect(await webhookRuns(anna.userKey)).toHaveLength(1);
  });

  it('has no second effect when redelivered', async () => {
    const anna = await connected();
    await fixture.control.addPoints('anna', [walk('a', '08', 700)], { notify: false });
    const item = await reported('anna');
    await Promise.all([send([item]), send([item])]);
    await fixture.reading.settle();
    await send([item]);
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'steps')).toMatchObject([{ value: 700 }]);
    const runs = await webhookRuns(anna.userKey);
    expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
    expect(runs[0].metadata).toMatchObject({ notifications: 2 });
    expect(runs[1].metadata).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
  });

  it('becomes one run with other deliveries, over joined windows', async () => {
    const anna = await connected();
    await fixture.control.clearRequests();
    const items = await Promise.all(
      [8, 9, 10].map((hour) =>
        reported('anna', {
          intervals: [
            {
              physicalTimeInterval: {
                startTime: `2026-11-10T0${hour - 1}:00:00Z`,
                endTime: `2026-11-10T${String(hour).padStart(2, '0')}:00:00Z`,
              },
            },
          ],
        }),
      ),
    );
    const old = await reported('anna', {
      intervals: [{ physicalTimeInterval: { startTime: '2026-09-10T08:00:00Z', endTime: '2026-09-10T09:00:00Z' } }],
    });
    for (const item of [...items, old]) await send(item);
    await fixture.reading.settle();
    const runs = await webhookRuns(anna.userKey);
    expect(runs).toHaveLength(1);
    expect(runs[0].metadata.data_types.steps).toMatchObject({ status: 'success', windows: 2 });
    expect((await fixture.control.requestCounts()).anna).toMatchObject({ steps: 2 });
  });

  it('about a deletion removes data that the vendor deleted', async () => {
    const anna = await connected();
    await fixture.control.addPoints('anna', [walk('a', '08', 700), walk('b', '09', 50)], { notify: false });
    await send(
      await reported('anna', {
        intervals: [{ physicalTimeInterval: { startTime: '2026-11-10T08:00:00Z', endTime: '2026-11-10T10:00:00Z' } }],
      }),
    );
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'steps')).toHaveLength(2);
    await fixture.control.deletePoints('anna', { dataType: 'steps', ids: ['a'] });
    await send([await reported('anna', { operation: 'DELETE' })]);
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'steps')).toMatchObject([{ value: 50 }]);
    expect((await webhookRuns(anna.userKey)).at(-1)?.metadata).toMatchObject({ deleted: 1 });
  });

  it('reaches all users who connected the account', async () => {
    const first = await connected();
    const second = await fixture.connect('anna');
    await fixture.reading.settle();
    await fixture.control.addPoints('anna', [walk('a', '08', 700)], { notify: false });
    await fixture.control.clearRequests();
    await send([await reported('anna')]);
    await fixture.reading.settle();
    for (const { userKey } of [first, second]) {
      expect(await fixture.samples(userKey, 'steps')).toMatchObject([{ value: 700 }]);
    }
    expect((await fixture.control.requestCounts()).anna).toMatchObject({ steps: 1 });
  });

  it('fails visibly after three tries', async () => {
    const anna = await connected();
    await send([await reported('anna')]);
    await fixture.control.addFault({ kind: 'error', status: 500, match: { dataType: 'steps' }, times: null });
    for (let turn = 0; turn < 6; turn++) {
      await fixture.reading.settle();
      await fixture.wait(1_800);
    }
    const [run] = await webhookRuns(anna.userKey);
    expect(run).toMatchObject({ stage: 'failed', status: 'failed' });
    expect(await notifications()).toEqual([{ data_type: 'steps', operation: 'upsert', state: 'failed' }]);
    const tries = (await fixture.control.requests({ dataType: 'steps', status: 500 })).length;
    // Three attempts send three requests each: every attempt immediately repeats a failed request twice.
    expect(tries).toBe(9);
  });

  it('is stored before the response', async () => {
    const anna = await connected();
    fixture.reading.services.pulls = { tryEnqueue: async () => false };
    await fixture.control.addPoints('anna', [walk('a', '08', 700)], { notify: false });
    expect((await send([await reported('anna')])).status).toBe(204);
    expect(await fixture.reading.waiting()).toEqual([anna.connectionId]);
    await fixture.reading.settle();
    expect(await fixture.samples(anna.userKey, 'steps')).toHaveLength(1);
  });

  it.each(['America/Los_Angeles', 'Asia/Tokyo'])(
    "of today's resting heart rate in %s has the right local date",
    async (timeZone) => {
      await fixture.control.addAccount({ id: 'ben', timeZone, grants: GRANTS.health });
      const ben = await fixture.connect('ben');
      await fixture.reading.settle();
      await fixture.control.addPoints(
        'ben',
        [{ dataType: 'daily-resting-heart-rate', date: '2026-11-10', value: 61 }],
        {
          notify: false,
        },
      );
      // UTC range of November 10 in the user's time zone.
      const offset = timeZone === 'Asia/Tokyo' ? 9 : -8;
      const startMs = Date.parse('2026-11-10T00:00:00Z') - offset * MS_PER_HOUR;
      const interval = {
        startTime: new Date(startMs).toISOString(),
        endTime: new Date(startMs + MS_PER_DAY).toISOString(),
      };
      await send([
        await reported('ben', {
          dataType: 'daily-resting-heart-rate',
          intervals: [{ physicalTimeInterval: interval }],
        }),
      ]);
      await fixture.reading.settle();
      expect(await fixture.days(ben.userKey, 'resting_heart_rate')).toEqual({ '2026-11-10': { sum: null, total: 61 } });
    },
  );
});

describe('other providers', () => {
  const call = (method: string, provider: string) =>
    fixture.service.anonymous(method, `/api/v1/providers/${provider}/webhooks`, method === 'GET' ? undefined : {});

  it('responds 404 for unknown providers', async () => {
    expect(await call('POST', 'acme')).toMatchObject({ status: 404, body: { detail: "Unknown provider: 'acme'" } });
    expect((await call('GET', 'acme')).status).toBe(404);
  });

  it('responds 501 for providers without webhooks', async () => {
    expect((await call('POST', 'apple')).status).toBe(501);
    expect((await call('GET', 'apple')).status).toBe(501);
    expect((await call('GET', 'google')).status).toBe(501);
  });
});
