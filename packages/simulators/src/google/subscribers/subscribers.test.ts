import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { tokensSchema } from '../response-schemas.js';
import { ConsentedClient, exchange, type JsonResponse, jsonResponse } from '../consented-client.js';
import type { PointInput } from '../point-types.js';
import type { GoogleSimulator } from '../simulator.js';
import { startGoogleSimulator } from '../start.js';
import {
  notificationSchema,
  signatureKeysSchema,
  subscriberOperationSchema,
  subscriberPageSchema,
} from './subscriber-schemas.js';

const SECRET = 'Bearer hook-secret';

interface Heard {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A client's endpoint, which can be configured to fail. */
class Endpoint {
  readonly heard: Heard[] = [];
  /** Statuses of the next responses; 204 if empty. */
  answers: number[] = [];
  secret = SECRET;
  refusal = 401;
  private server!: Server;

  async listen(): Promise<void> {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const allowed = request.headers.authorization === this.secret;
      const handshake = body === '{"type":"verification"}';
      this.heard.push({ headers: request.headers, body });
      response.statusCode = allowed ? (handshake ? 201 : (this.answers.shift() ?? 204)) : this.refusal;
      response.end();
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Returns the received notifications, one list per body. Throws if a body has an unexpected format. */
  notifications(): z.infer<typeof notificationSchema>[][] {
    return this.notificationBodies().map((body) => z.array(notificationSchema).parse(body));
  }

  notificationBodies(): unknown[] {
    return this.heard.filter(({ body }) => body.includes('healthUserId')).map(({ body }) => JSON.parse(body));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

let simulator: GoogleSimulator;
let endpoint: Endpoint;
let token: string;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  const { refresh_token = '' } = await simulator.control.authorizedUser();
  const refreshed = await exchange(simulator, { grant_type: 'refresh_token', refresh_token });
  token = refreshed.as(tokensSchema).access_token;
  endpoint = new Endpoint();
  await endpoint.listen();
  return () => endpoint.close();
});

async function call(
  method: string,
  path: string,
  body?: unknown,
  project = simulator.projectNumber,
): Promise<JsonResponse> {
  const url = `${simulator.urls.api}/v4/projects/${project}/subscribers${path}`;
  const headers = { authorization: `Bearer ${token}` };
  return jsonResponse(
    await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }),
  );
}

const wanted = (dataTypes = ['steps', 'weight']) => ({
  endpointUri: endpoint.url,
  subscriberConfigs: [{ dataTypes, subscriptionCreatePolicy: 'AUTOMATIC' }],
  endpointAuthorization: { secret: endpoint.secret },
});
const register = (id = 'healthd') => call('POST', `?subscriberId=${id}`, wanted());

const walk: PointInput = {
  dataType: 'steps',
  startTime: '2026-04-02T16:40:00Z',
  endTime: '2026-04-02T17:10:00Z',
  value: 900,
};

async function consented(): Promise<string> {
  const { healthUserId } = await simulator.control.addAccount({ id: 'anna' });
  await ConsentedClient.connect(simulator, 'anna');
  return healthUserId;
}

async function until<T>(look: () => T | Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('verifies an endpoint with and without its secret', async () => {
  const registered = await register();
  expect(registered.status).toBe(200);
  expect(registered.body).toMatchObject({ done: true, response: { endpointUri: endpoint.url, state: 'ACTIVE' } });
  expect(registered.as(subscriberOperationSchema).response.endpointAuthorization).toEqual({ secretSet: true });
  expect(endpoint.heard.map(({ headers }) => headers.authorization)).toEqual([SECRET, undefined]);
  expect(endpoint.heard[0]!.headers['user-agent']).toBe('Google-Health-API-Webhooks-Verifier');
});

test.each([
  ['expects another secret', { secret: 'Bearer other' }],
  ['accepts every caller', { refusal: 200 }],
])('rejects an endpoint that %s', async (_what, fault) => {
  const body = wanted();
  Object.assign(endpoint, fault);
  const response = await call('POST', '?subscriberId=healthd', body);
  expect(response).toMatchObject({ status: 400, body: { error: { status: 'FAILED_PRECONDITION' } } });
  expect(await simulator.control.subscribers()).toEqual([]);
});

test('rejects a duplicate id', async () => {
  await register();
  expect(await register()).toMatchObject({ status: 409, body: { error: { status: 'ALREADY_EXISTS' } } });
});

test.each(['abc', 'Healthd', '1health', 'health-', 'h'.repeat(37)])('rejects %s as a subscriber ID', async (id) => {
  expect((await register(id)).status).toBe(400);
});

test('rejects types without notifications and non-https endpoints', async () => {
  expect((await call('POST', '?subscriberId=healthd', wanted(['oxygen-saturation']))).status).toBe(400);
  await simulator.control.setBehaviour({ loopbackEndpoints: false });
  expect((await register()).status).toBe(400);
});

test('accepts only the project number, not the project ID', async () => {
  await register();
  expect((await call('GET', '', undefined, simulator.projectId)).status).toBe(403);
  expect((await call('DELETE', '/healthd', undefined, simulator.projectId)).status).toBe(400);
});

test('rejects a user’s token for subscriber calls', async () => {
  await consented();
  token = (await ConsentedClient.connect(simulator, 'anna')).tokens.access_token;
  expect((await register()).status).toBe(403);
});

test('lists subscribers in pages', async () => {
  for (const id of ['one-1', 'two-2', 'three-3']) await register(id);
  const first = (await call('GET', '?pageSize=2')).as(subscriberPageSchema);
  expect(first).toMatchObject({ totalSize: 3 });
  const second = (await call('GET', `?pageSize=2&pageToken=${first.nextPageToken}`)).as(subscriberPageSchema);
  const names = [...first.subscribers, ...second.subscribers].map(({ name }) => name);
  expect(names).toEqual(
    ['one-1', 'two-2', 'three-3'].map((id) => `projects/${simulator.projectNumber}/subscribers/${id}`),
  );
  expect((await call('GET', '/one-1')).status).toBe(404);
});

test('verifies changed endpoints and secrets, not changed types', async () => {
  await register();
  const before = endpoint.heard.length;
  const body = { ...wanted(['sleep']), endpointUri: 'http://127.0.0.1:9/nowhere' };
  const changed = await call('PATCH', '/healthd?updateMask=subscriberConfigs', body);
  expect(changed.as(subscriberOperationSchema).response).toMatchObject({
    endpointUri: endpoint.url,
    subscriberConfigs: [{ dataTypes: ['sleep'] }],
  });
  expect(endpoint.heard).toHaveLength(before);
  endpoint.secret = 'Bearer rotated';
  expect((await call('PATCH', '/healthd?updateMask=endpointAuthorization', wanted())).status).toBe(200);
  expect(endpoint.heard).toHaveLength(before + 2);
  expect((await call('PATCH', '/healthd?updateMask=endpointUri', body)).status).toBe(400);
  expect((await call('PATCH', '/healthd?updateMask=endpoint_uri', wanted())).status).toBe(400);
  expect((await call('PATCH', '/nobody?updateMask=subscriberConfigs', wanted())).status).toBe(404);
});

test('returns a subscriber instead of an operation if configured', async () => {
  await register();
  await simulator.control.setBehaviour({ subscriberAnswer: 'subscriber' });
  expect((await call('DELETE', '/healthd?force=true')).body).toEqual({});
  expect((await call('DELETE', '/healthd')).status).toBe(404);
  expect((await register()).body).toMatchObject({ endpointUri: endpoint.url });
});

test('sends change notifications with secret, signature and three time formats', async () => {
  const healthUserId = await consented();
  await register();
  await simulator.control.addPoints('anna', [walk]);
  const [heard] = await until(
    () => endpoint.notifications(),
    (all) => all.length === 1,
  );
  expect(heard).toHaveLength(1);
  expect(heard![0]!.data).toMatchObject({ version: '1', healthUserId, operation: 'UPSERT', dataType: 'steps' });
  expect(heard![0]!.data.intervals).toEqual([
    {
      physicalTimeInterval: { startTime: '2026-04-02T16:40:00Z', endTime: '2026-04-02T17:10:00Z' },
      civilDateTimeInterval: {
        startDateTime: { date: { year: 2026, month: 4, day: 2 }, time: { hours: 18, minutes: 40 } },
        endDateTime: { date: { year: 2026, month: 4, day: 2 }, time: { hours: 19, minutes: 10 } },
      },
      civilIso8601TimeInterval: { startTime: '2026-04-02T18:40:00', endTime: '2026-04-02T19:10:00' },
    },
  ]);
  expect(endpoint.heard.at(-1)!.headers.authorization).toBe(SECRET);
});

/** Returns the published key of a signature, by the id in its prefix. */
async function publicKeyOf(signature: Buffer) {
  const { key } = (await jsonResponse(await fetch(simulator.urls.keyset))).as(signatureKeysSchema);
  const { keyData } = key.find(({ keyId }) => keyId === signature.readUInt32BE(1))!;
  const message = Buffer.from(keyData.value, 'base64');
  const [x, y] = [message.subarray(11, 43), message.subarray(46, 78)].map((part) => part.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
}

test('publishes keys that verify signatures across a rotation', async () => {
  await consented();
  await register();
  for (const n of [1, 2]) {
    await simulator.control.addPoints('anna', [walk]);
    await until(
      () => endpoint.notifications().length,
      (count) => count === n,
    );
    await simulator.control.rotateSignatureKey();
  }
  const signed = endpoint.heard.filter(({ headers }) => headers['google-health-api-signature'] !== undefined);
  const ids = new Set<number>();
  for (const { headers, body } of signed) {
    const signature = Buffer.from(String(headers['google-health-api-signature']), 'base64');
    expect(signature[0]).toBe(1);
    ids.add(signature.readUInt32BE(1));
    const key = await publicKeyOf(signature);
    expect(verify('sha256', Buffer.from(body), key, signature.subarray(5))).toBe(true);
    expect(verify('sha256', Buffer.from(`${body} `), key, signature.subarray(5))).toBe(false);
  }
  expect(ids.size).toBe(2);
});

test('retries a delivery until the endpoint returns 204', async () => {
  await consented();
  await register();
  endpoint.answers = [500, 200];
  await simulator.control.addPoints('anna', [walk]);
  const [delivery] = await until(
    () => simulator.control.deliveries(),
    ([first]) => first?.state === 'delivered',
  );
  expect(delivery!.attempts).toEqual([500, 200, 204]);
});

test('sends each delayed notification twice as a single object', async () => {
  await consented();
  await register();
  await simulator.control.setBehaviour({
    deliveries: 'held',
    notificationBody: 'object',
    duplicateNotifications: true,
  });
  await simulator.control.addPoints('anna', [walk]);
  expect(endpoint.notificationBodies()).toEqual([]);
  endpoint.answers = [503];
  expect(await simulator.control.flushDeliveries()).toEqual({ delivered: 1, pending: 1 });
  expect(await simulator.control.flushDeliveries()).toEqual({ delivered: 1, pending: 0 });
  const reported = z.array(notificationSchema).parse(endpoint.notificationBodies());
  expect(reported.map(({ data }) => data.dataType)).toEqual(['steps', 'steps', 'steps']);
});

test('drops a notification after seven days of retries', async () => {
  await consented();
  await register();
  await simulator.control.setBehaviour({ deliveries: 'held' });
  await simulator.control.addPoints('anna', [walk]);
  endpoint.answers = Array.from({ length: 500 }, () => 500);
  let tries = 0;
  while ((await simulator.control.flushDeliveries()).pending > 0) tries++;
  expect((await simulator.control.deliveries())[0]!.state).toBe('given_up');
  expect(tries).toBeGreaterThan(160);
});

test('merges only nearby changes into one interval', async () => {
  await consented();
  await register();
  const later = { ...walk, startTime: '2026-04-05T10:00:00Z', endTime: '2026-04-05T10:01:00Z' };
  const next = { ...walk, startTime: '2026-04-02T17:10:00Z', endTime: '2026-04-02T17:11:00Z' };
  await simulator.control.addPoints('anna', [walk, next, later]);
  const [heard] = await until(
    () => endpoint.notifications(),
    (all) => all.length === 1,
  );
  expect(heard![0]!.data.intervals.map(({ physicalTimeInterval }) => physicalTimeInterval)).toEqual([
    { startTime: '2026-04-02T16:40:00Z', endTime: '2026-04-02T17:11:00Z' },
    { startTime: '2026-04-05T10:00:00Z', endTime: '2026-04-05T10:01:00Z' },
  ]);
});

test('sends notifications only for subscribed types with consent and scope', async () => {
  await simulator.control.addAccount({ id: 'anna' });
  await register();
  await simulator.control.addPoints('anna', [walk]);
  await ConsentedClient.connect(simulator, 'anna', 'https://www.googleapis.com/auth/googlehealth.sleep.readonly');
  await simulator.control.addPoints('anna', [walk]);
  await ConsentedClient.connect(simulator, 'anna');
  await simulator.control.addPoints('anna', [{ ...walk, dataType: 'distance' }]);
  expect(await simulator.control.deliveries()).toEqual([]);
});

test('sends deletions and revoked consents as DELETE notifications', async () => {
  await consented();
  await register();
  const weight = { dataType: 'weight', startTime: '2026-04-02T05:00:00Z', value: 80_000 };
  await simulator.control.addPoints('anna', [walk, weight], { notify: false });
  expect(await simulator.control.deletePoints('anna', { dataType: 'steps' })).toBe(1);
  await simulator.control.revokeGrants('anna');
  const reported = await until(
    () => endpoint.notifications().map(([first]) => `${first!.data.operation} ${first!.data.dataType}`),
    (all) => all.length === 2,
  );
  expect(reported.sort()).toEqual(['DELETE steps', 'DELETE weight']);
});
