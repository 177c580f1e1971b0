import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let user: string;
let token: { access_token: string; refresh_token: string };
beforeAll(async () => {
  service = await startTestService({ serviceName: 'Open-Wearables' });
  const developer = await service.logIn();
  user = (await service.call('POST', '/api/v1/users', {})).body.id;
  token = (await developer.call('POST', `/api/v1/users/${user}/token`)).body;
});
afterAll(() => service.stop());

/** Sends this body with these headers and its length, through `node:http`. */
async function send(path: string, headers: Record<string, string>, body: string) {
  const sending = request(new URL(path, service.url), {
    method: 'POST',
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    );
  });
  sending.end(body);
  return answered;
}

const json = { 'Content-Type': 'application/json' };
const IOS_BODY = JSON.stringify({
  provider: 'apple',
  sdkVersion: '0.6.0',
  syncTimestamp: '2026-11-20T08:15:30Z',
  data: {
    records: [
      {
        id: '5B0A3E0E-6A2B-4B66-9F60-9D1C2E7F1A11',
        parentId: null,
        type: 'HKQuantityTypeIdentifierStepCount',
        startDate: '2026-11-19T17:00:00Z',
        endDate: '2026-11-19T17:05:00Z',
        zoneOffset: null,
        value: 412,
        unit: 'count',
        source: { appId: 'com.apple.health.1F', deviceId: null, deviceName: 'iPhone', deviceModel: 'iPhone16,1' },
        metadata: null,
      },
    ],
    sleep: [],
    workouts: [],
  },
});
const ANDROID_BODY = JSON.stringify({
  provider: 'google',
  sdkVersion: '0.11.0',
  syncTimestamp: '2026-11-20T08:25:00.123Z',
  data: { records: [], sleep: [], workouts: [] },
});
const ANDROID_LOG = JSON.stringify({
  sdkVersion: '0.11.0',
  provider: 'google',
  events: [
    {
      eventType: 'device_state',
      timestamp: '2026-11-20T08:25:00Z',
      batteryLevel: -1,
      batteryState: 'unknown',
      isLowPowerMode: false,
      thermalState: null,
      taskType: 'foreground',
      availableRamBytes: 1_073_741_824,
      totalRamBytes: 4_294_967_296,
    },
    { eventType: 'historical_data_sync_start', timestamp: '2026-11-20T08:25:00Z', dataTypeCounts: [] },
  ],
});

describe('existing clients', () => {
  it('iOS 0.6 may push with its raw token and capitalized user ID', async () => {
    const headers = {
      ...json,
      Authorization: token.access_token,
      'User-Agent': 'Runner/1 CFNetwork/1568 Darwin/24.1.0',
    };
    const response = await send(`/api/v1/sdk/users/${user.toUpperCase()}/sync`, headers, IOS_BODY);
    expect(response.status).toBe(202);
    expect(JSON.parse(response.body)).toMatchObject({ status_code: 202, user_id: user, dropped_count: 0 });
  });

  it('iOS may push with an API key in the compatible header', async () => {
    const headers = { ...json, 'X-Open-Wearables-API-Key': service.first.apiKey };
    expect((await send(`/api/v1/sdk/users/${user}/sync`, headers, IOS_BODY)).status).toBe(202);
  });

  it('Android may push with a Bearer token and a charset', async () => {
    const headers = {
      Authorization: `Bearer ${token.access_token}`,
      'Content-Type': 'application/json; charset=utf-8',
      'Accept-Encoding': 'gzip',
      'User-Agent': 'okhttp/4.12.0',
    };
    expect((await send(`/api/v1/sdk/users/${user}/sync`, headers, ANDROID_BODY)).status).toBe(202);
  });

  it('Android may send a log with battery level -1', async () => {
    const headers = { ...json, Authorization: `Bearer ${token.access_token}` };
    const response = await send(`/api/v1/sdk/users/${user}/logs`, headers, ANDROID_LOG);
    expect(response.status).toBe(202);
    expect(JSON.parse(response.body)).toMatchObject({
      status_code: 202,
      response: expect.stringContaining('not stored'),
    });
    expect(service.logLines.join('\n')).toContain('"device_state":1');
  });

  it('counts unknown log event types like known types', async () => {
    const headers = { ...json, Authorization: `Bearer ${token.access_token}` };
    const timestamp = '2026-11-20T08:25:00Z';
    const events = [
      { eventType: 'historical_data_type_sync_start', timestamp, dataType: 'steps', expectedRecordCount: 7 },
      { eventType: 'historical_data_type_sync_end', timestamp, dataType: 'steps', success: false, errorCode: 'E1' },
      { eventType: 'history_done', eventId: 7 },
      { eventType: 'history_done' },
      { eventType: '__proto__' },
      { eventType: 'Ada Lovelace\nweighs 60 kg' },
    ];
    const body = JSON.stringify({ sdkVersion: '0.14.0', syncSessionId: 's-1', provider: 'apple', events });
    expect((await send(`/api/v1/sdk/users/${user}/logs`, headers, body)).status).toBe(202);
    const logged = service.logLines.map((line) => JSON.parse(line)).findLast((line) => line.sdk_version === '0.14.0');
    expect(logged).toMatchObject({ failed_types: 1 });
    expect(logged.events).toEqual({
      historical_data_type_sync_start: 1,
      historical_data_type_sync_end: 1,
      history_done: 2,
      other: 2,
    });
    expect(service.logLines.join('\n')).not.toContain('Lovelace');
  });

  it('rejects a malformed log event', async () => {
    const headers = { ...json, Authorization: `Bearer ${token.access_token}` };
    for (const event of [{ eventType: 'device_state' }, { eventType: 7 }, {}, 7]) {
      const body = JSON.stringify({ sdkVersion: '0.14.0', provider: 'apple', events: [event] });
      expect((await send(`/api/v1/sdk/users/${user}/logs`, headers, body)).status).toBe(422);
    }
  });

  it('Flutter and React Native may push without a content type', async () => {
    for (const body of [IOS_BODY, ANDROID_BODY]) {
      const headers = { Authorization: `Bearer ${token.access_token}` };
      expect((await send(`/api/v1/sdk/users/${user}/sync`, headers, body)).status).toBe(202);
    }
    expect(
      (await send(`/api/v1/sdk/users/${user}/logs`, { Authorization: token.access_token }, ANDROID_LOG)).status,
    ).toBe(202);
  });

  it('succeed with a refreshed token after a 401', async () => {
    const stale = await send(`/api/v1/sdk/users/${user}/sync`, { Authorization: 'Bearer a.b.c' }, IOS_BODY);
    expect(stale.status).toBe(401);
    const refreshed = await service.anonymous('POST', '/api/v1/token/refresh', { refresh_token: token.refresh_token });
    expect(Object.keys(refreshed.body)).toEqual(expect.arrayContaining(['access_token', 'refresh_token']));
    const headers = { Authorization: `Bearer ${refreshed.body.access_token}` };
    expect((await send(`/api/v1/sdk/users/${user}/sync`, headers, IOS_BODY)).status).toBe(202);
    token = refreshed.body;
  });

  it("open only their user's SDK routes with a token", async () => {
    const other = (await service.call('POST', '/api/v1/users', {})).body.id;
    const headers = { Authorization: `Bearer ${token.access_token}` };
    expect((await send(`/api/v1/sdk/users/${other}/sync`, headers, IOS_BODY)).status).toBe(403);
    expect((await service.as(token.access_token)('GET', `/api/v1/users/${user}`)).status).toBe(401);
    await service.call('DELETE', `/api/v1/users/${other}`);
  });

  it("get 401 with a deleted user's token", async () => {
    const developer = await service.logIn();
    const deletedUser = (await service.call('POST', '/api/v1/users', {})).body.id;
    const tokens = (await developer.call('POST', `/api/v1/users/${deletedUser}/token`)).body;
    expect((await developer.call('DELETE', `/api/v1/users/${deletedUser}`)).status).toBe(200);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await send(`/api/v1/sdk/users/${deletedUser}/sync`, headers, IOS_BODY)).status).toBe(401);
  });

  it('accepts 200 concurrent batches of a client without a 429', async () => {
    const headers = { Authorization: `Bearer ${token.access_token}` };
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => send(`/api/v1/sdk/users/${user}/sync`, headers, ANDROID_BODY)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
  });
});
