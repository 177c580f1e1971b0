import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GarminFixture, openGarminFixture } from './garmin-fixture.js';

const ALL = 'ACTIVITY_EXPORT HEALTH_EXPORT HISTORICAL_DATA_EXPORT MCT_EXPORT';

let fixture: GarminFixture;
let adaId: string;
beforeEach(async () => {
  fixture = await openGarminFixture();
  adaId = (await fixture.control.addAccount({ id: 'ada' })).userId;
  await fixture.control.setPushTarget({ url: fixture.address });
});
afterEach(() => fixture.close());

const daily = (steps: number) => ({
  dailies: [
    {
      userId: adaId,
      calendarDate: '2026-05-10',
      startTimeInSeconds: 1_778_371_200,
      startTimeOffsetInSeconds: 0,
      durationInSeconds: 86_400,
      steps,
    },
  ],
});
const send = (body: object) => fixture.control.sendBody(JSON.stringify(body));
/** Waits until the vendor has sent everything and the service has processed it. */
const pushed = async () => {
  await fixture.control.pushes();
  await fixture.reading.settle();
};

describe('a consent', () => {
  it.each(['bare', 'object'] as const)(
    'stores the granted scope after a consent with PKCE (%s list)',
    async (shape) => {
      await fixture.control.setPermissionsShape(shape);
      const ada = await fixture.connect('ada');
      expect(await fixture.connection(ada)).toMatchObject({
        status: 'active',
        provider_user_id: adaId,
        scope: ALL,
        missing_scopes: [],
        webhook_stream: true,
        webhook_ping: false,
        webhook_callback: true,
        rest_pull: false,
        live_sync_mode: 'webhook',
        max_historical_days: 30,
      });
    },
  );

  it('shows missing permissions, including the history', async () => {
    await fixture.control.setConsent({ scopes: ['HEALTH_EXPORT'] });
    const { missing_scopes, missing_data_types } = await fixture.connection(await fixture.connect('ada'));
    expect(missing_scopes.sort()).toEqual(['ACTIVITY_EXPORT', 'HISTORICAL_DATA_EXPORT', 'MCT_EXPORT']);
    expect(missing_data_types).toContain('activities');
    expect(missing_data_types).not.toContain('dailies');
  });

  it('stores all data if permissions are unreadable', async () => {
    await fixture.control.addFault({ kind: 'error', status: 403, path: 'permissions', times: null });
    const ada = await fixture.connect('ada');
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active', scope: null, missing_scopes: [] });
    await send(daily(5));
    await pushed();
    expect(await fixture.samples(ada.userKey, 'steps')).toHaveLength(1);
  });

  it('does not connect without an account ID', async () => {
    await fixture.control.addFault({ kind: 'error', status: 500, path: 'user/id', times: null });
    const userId = await fixture.newUser();
    const back = await fixture.consent('ada', userId);
    expect(back.status).not.toBe(500);
    expect((await fixture.call('GET', `/api/v1/users/${userId}/connections`)).body).toEqual([]);
  });

  it('does not connect without any permission', async () => {
    await fixture.control.setConsent({ scopes: [] });
    const userId = await fixture.newUser();
    await fixture.consent('ada', userId);
    expect((await fixture.call('GET', `/api/v1/users/${userId}/connections`)).body).toEqual([]);
    expect(await fixture.control.isConnected('ada')).toBe(false);
  });

  it('does not connect after a decline', async () => {
    await fixture.control.setConsent({ decision: 'deny' });
    const userId = await fixture.newUser();
    await fixture.consent('ada', userId);
    expect((await fixture.call('GET', `/api/v1/users/${userId}/connections`)).body).toEqual([]);
  });

  it('shares one renewal between concurrent callers', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.expireAccessTokens('ada');
    await fixture.control.clearRequests();
    const connection = await fixture.reading.connections.findConnectionById(ada.connectionId);
    const calls = Array.from({ length: 8 }, () =>
      fixture.reading.connections.vendorApiOf(connection!).call({ base: 'user', path: '/id' }),
    );
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ userId: adaId })));
    expect(await fixture.control.requests('oauth/token')).toHaveLength(1);
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active', scope: ALL });
  });

  it('renews only idle tokens', async () => {
    const [idle, fresh] = [await fixture.connect('ada'), await fixture.connect('ada')];
    await fixture.pool.query(`update connection set token_expires_at = now() - interval '31 days' where id = $1`, [
      idle.connectionId,
    ]);
    const versions = async () => {
      const { rows } = await fixture.pool.query(
        'select id, token_version as version, token_expires_at > now() as "isValid" from connection where status = $1',
        ['active'],
      );
      return new Map(rows.map(({ id, version, isValid }) => [id, { version, isValid }]));
    };
    const before = await versions();
    await fixture.control.clearRequests();
    await fixture.renewIdleTokens();
    await fixture.renewIdleTokens();
    expect(await fixture.control.requests('oauth/token')).toHaveLength(1);
    const after = await versions();
    expect(after.get(idle.connectionId)).toEqual({
      version: before.get(idle.connectionId)?.version + 1,
      isValid: true,
    });
    expect(after.get(fresh.connectionId)).toEqual(before.get(fresh.connectionId));
  });

  it('ends the registration at the vendor on disconnect', async () => {
    const { userId } = await fixture.connect('ada');
    await fixture.call('DELETE', `/api/v1/users/${userId}/connections/garmin`);
    expect((await fixture.control.requests('registration')).map(({ method, status }) => [method, status])).toEqual([
      ['DELETE', 204],
    ]);
    expect(await fixture.control.isConnected('ada')).toBe(false);
    await send(daily(5));
    await pushed();
    expect(await fixture.deliveries()).toEqual({ done: 1 });
  });
});

describe('a deregistration', () => {
  it('ends the connections of all users of the account', async () => {
    const [ada, also] = [await fixture.connect('ada'), await fixture.connect('ada')];
    await fixture.control.deregister('ada');
    await pushed();
    for (const user of [ada, also]) {
      expect(await fixture.connection(user)).toMatchObject({
        status: 'revoked',
        status_reason: 'deregistered',
        has_authorization: false,
      });
    }
    const sync = await fixture.call('POST', `/api/v1/providers/garmin/users/${ada.userId}/sync/historical`);
    expect(sync).toMatchObject({ status: 409, body: { detail: expect.stringContaining('re-authorize') } });
  });

  it('does not end a new consent when redelivered', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.deregister('ada');
    await pushed();
    await fixture.connect('ada', ada.userId);
    expect(await send({ deregistrations: [{ userId: adaId }] })).toBe(200);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });

  it('keeps connections while the tokens work, even with an old consent', async () => {
    const ada = await fixture.connect('ada');
    await fixture.wait(8 * 86_400);
    expect(await send({ deregistrations: [{ userId: adaId }] })).toBe(200);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
    await fixture.control.revokeGrants('ada');
    expect(await send({ deregistrations: [{ userId: adaId }] })).toBe(200);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked', status_reason: 'deregistered' });
  });

  it('waits for confirmation while the vendor is unavailable', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.addFault({ kind: 'bad_gateway', path: 'user/id', times: null });
    await send({ deregistrations: [{ userId: adaId }] });
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
    expect(await fixture.deliveries()).toEqual({ received: 1 });
    await fixture.control.clearFaults();
    await fixture.control.revokeGrants('ada');
    await fixture.wait(3_600);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked', status_reason: 'deregistered' });
  });

  it('keeps connections unless the vendor rejects the tokens', async () => {
    const ada = await fixture.connect('ada');
    await send({ deregistrations: [{ userId: adaId }] });
    for (const status of [400, 403, 404]) {
      await fixture.control.addFault({ kind: 'error', status, path: 'user/id', times: null });
      await fixture.pool.query('update webhook_delivery set next_try_at = now() - make_interval(secs => 1)');
      await pushed();
      expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
      expect(await fixture.deliveries()).toEqual({ received: 1 });
      await fixture.control.clearFaults();
    }
    await fixture.pool.query('update webhook_delivery set next_try_at = now() - make_interval(secs => 1)');
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
    expect(await fixture.deliveries()).toEqual({ done: 1 });
  });
});

describe('changed permissions', () => {
  it('drops data types whose permission is revoked', async () => {
    const ada = await fixture.connect('ada');
    await fixture.wait(60);
    await fixture.control.changePermissions('ada', ['ACTIVITY_EXPORT']);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ scope: 'ACTIVITY_EXPORT' });
    await send(daily(5));
    await pushed();
    expect(await fixture.samples(ada.userKey, 'steps')).toEqual([]);
    expect(await fixture.lastRun(ada)).toMatchObject({
      status: 'skipped',
      metadata: { data_types: { dailies: { status: 'skipped', error: 'scope_missing' } } },
    });
  });

  it('reads the permissions from the vendor, not from the notification', async () => {
    const ada = await fixture.connect('ada');
    await send({ userPermissionsChange: [{ userId: adaId, permissions: [] }] });
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ scope: ALL, status: 'active' });
    expect(await fixture.control.requests('/user/permissions')).toHaveLength(2);
  });

  it('keeps the newest permissions when notifications arrive out of order', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.setPushTarget({ url: fixture.address, deliveries: 'held', batchSize: 1 });
    await fixture.control.changePermissions('ada', ['HEALTH_EXPORT']);
    await fixture.control.changePermissions('ada', []);
    await fixture.control.flushPushes({ reversed: true, twice: true });
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ scope: '', status: 'active' });
  });

  it('retries while the vendor does not report permissions', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.addFault({ kind: 'error', status: 500, path: '/user/permissions', times: 3 });
    await fixture.control.changePermissions('ada', ['HEALTH_EXPORT']);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ scope: ALL });
    await fixture.wait(60);
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ scope: 'HEALTH_EXPORT' });
  });

  it('keeps the scope when the vendor rejects the tokens', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.revokeGrants('ada');
    await send({ userPermissionsChange: [{ userId: adaId, permissions: ['HEALTH_EXPORT'] }] });
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ scope: ALL });
  });
});

describe('a webhook-only provider', () => {
  it('has webhook as its fixed live sync mode', async () => {
    const { call } = await fixture.service.logIn();
    const put = (body: object) => call('PUT', '/api/v1/oauth/providers/garmin', body);
    for (const live_sync_mode of ['pull', 'webhook']) {
      expect(await put({ live_sync_mode })).toMatchObject({
        status: 400,
        body: { detail: "Provider 'garmin' does not support live sync mode configuration" },
      });
    }
    expect((await put({})).body).toMatchObject({ live_sync_mode: 'webhook', live_sync_configurable: false });
  });

  it('rejects a sync request', async () => {
    const { userId } = await fixture.connect('ada');
    expect(await fixture.call('POST', `/api/v1/providers/garmin/users/${userId}/sync`)).toMatchObject({ status: 400 });
  });

  it('sets last_synced_at with the first delivery', async () => {
    const ada = await fixture.connect('ada');
    expect(await fixture.connection(ada)).toMatchObject({ last_synced_at: null });
    await send(daily(5));
    await pushed();
    expect(await fixture.connection(ada)).toMatchObject({ last_synced_at: expect.any(String) });
  });
});
