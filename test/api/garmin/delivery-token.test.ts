import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryFixture, dailyOf, type GarminUser, openDeliveryFixture } from './delivery-fixture.js';

const SETTING = 'GARMIN_WEBHOOK_TOKEN';

let fixture: DeliveryFixture;
let ada: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
});
afterEach(() => fixture.close());

const push = async (query: string) => {
  await fixture.control.setPushTarget({ url: `${fixture.service.url}/api/v1/providers/garmin/webhooks${query}` });
  return fixture.send({ dailies: [dailyOf(ada, 1, 7)] });
};
const reported = async () => {
  await fixture.service.parts.notificationCounts.write();
  const { call } = await fixture.service.logIn();
  return (await call('GET', '/api/v1/system/status')).body.unproven_deliveries;
};

describe('with a token', () => {
  it('accepts a delivery only with the configured token', async () => {
    expect(await push('?token=')).toBe(401);
    expect(await push('?token=another')).toBe(401);
    expect(await push(`?token=${fixture.simulator.settings.WEBHOOK_TOKEN}`)).toBe(200);
  });

  it('reports no missing setting', async () => {
    expect(await reported()).toEqual([]);
  });
});

describe('without a token', () => {
  beforeEach(() => {
    fixture.settingValues.WEBHOOK_TOKEN = undefined;
  });

  it('responds 503 to the vendor without storing data', async () => {
    expect(await push('')).toBe(503);
    expect(await push('?token=anything')).toBe(503);
    expect(await fixture.deliveries()).toEqual({});
  });

  it('rejects a delivery of another application with 401', async () => {
    await fixture.control.setPushTarget({ url: fixture.address });
    expect(await fixture.send({}, { 'garmin-client-id': 'another application' })).toBe(401);
  });

  it('reports the setting, the new URL and the number of rejections', async () => {
    await push('');
    await push('');
    expect(await reported()).toEqual([
      {
        provider: 'garmin',
        setting: SETTING,
        is_set: false,
        address: expect.stringMatching(/\/api\/v1\/providers\/garmin\/webhooks\?token=<GARMIN_WEBHOOK_TOKEN>$/),
        refused: 2,
        first_refused_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        last_refused_at: expect.any(String),
        connections_to_backfill: 1,
      },
    ]);
  });

  it('reports the setting before any delivery arrives', async () => {
    expect(await reported()).toMatchObject([{ setting: SETTING, is_set: false, refused: 0 }]);
  });

  it('offers a backfill of the gap once the token is set', async () => {
    await push('');
    await fixture.service.parts.notificationCounts.write();
    fixture.settingValues.WEBHOOK_TOKEN = 'a token';
    expect(await reported()).toMatchObject([{ is_set: true, refused: 1, connections_to_backfill: 1 }]);
    const { status } = await fixture.call('POST', `/api/v1/providers/garmin/users/${ada.userId}/sync/historical`);
    expect(status).toBe(200);
    expect(await reported()).toEqual([]);
  });
});
