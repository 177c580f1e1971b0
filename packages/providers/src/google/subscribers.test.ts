import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ProviderConfiguration, VendorError, type WebhookDelivery } from '../cloud/index.js';
import { ServiceTokens } from './service-tokens.js';
import { SignatureKeys } from './signature-keys.js';
import { googleSubscribers } from './subscribers.js';
import { googleWebhook } from './webhook.js';

const DATA_TYPES = ['steps', 'heart-rate', 'sleep'];
const ID = 'healthd-test';

let simulator: GoogleSimulator;
let folder: string;
let receiver: Receiver;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subscribers-'));
  receiver = await startReceiver();
  simulator = await startGoogleSimulator({ autoConsent: true });
  await writeFile(join(folder, 'key.json'), JSON.stringify(await simulator.control.serviceAccountKey()));
});
afterAll(async () => {
  await simulator.close();
  receiver.server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await simulator.control.clearFaults();
  for (const { id } of await SUBSCRIBERS.list(configuration())) await SUBSCRIBERS.remove(configuration(), id);
  await simulator.control.setBehaviour({ subscriberAnswer: 'operation', signatureHeader: 'current' });
  await simulator.control.clearRequests();
  receiver.deliveries.length = 0;
});

const SUBSCRIBERS = googleSubscribers(DATA_TYPES, new ServiceTokens({}));

function configuration(change: Record<string, string | undefined> = {}, webhookSecret = 'hook-s3cret') {
  const { api, authorize, token, keyset } = simulator.urls;
  const values = {
    PROJECT_ID: simulator.projectNumber,
    SUBSCRIBER_ID: ID,
    SERVICE_ACCOUNT_FILE: join(folder, 'key.json'),
    WEBHOOK_SIGNATURE: 'enforce',
    ...change,
  };
  return {
    scope: '',
    addresses: { api, authorize, token, keyset },
    webhookSecret,
    values,
  } satisfies ProviderConfiguration;
}

interface Receiver {
  server: Server;
  deliveries: WebhookDelivery[];
  endpoint: string;
  secrets: string[];
}

/** Endpoint that works like the service's route: authenticates, responds to the handshake, checks signatures. */
async function startReceiver(): Promise<Receiver> {
  const webhook = googleWebhook(new SignatureKeys());
  const deliveries: WebhookDelivery[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (!webhook.authenticate({ headers: request.headers, query: new URLSearchParams() }, body, receiver.secrets))
      return response.writeHead(401).end();
    const delivery = webhook.read(JSON.parse(body.toString()));
    deliveries.push(delivery);
    if (delivery.kind === 'unreadable') return response.writeHead(400).end();
    if (delivery.kind === 'notifications') {
      const check = await webhook.checkSignature?.(request.headers, body, configuration());
      if (check?.verdict !== 'accept') return response.writeHead(401).end();
    }
    return response.writeHead(delivery.status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { server, deliveries, endpoint, secrets: ['hook-s3cret'] };
}

async function failure(call: Promise<unknown>): Promise<VendorError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof VendorError)) throw new Error('no VendorError');
  expect(error.message).not.toContain('s3cret');
  expect(error.message).not.toContain(folder);
  return error;
}

it('manages a subscriber from creation to deletion', async () => {
  const [outcome] = await SUBSCRIBERS.ensure(configuration(), receiver.endpoint);
  expect(outcome).toEqual({ id: ID, status: 'created' });
  expect(receiver.deliveries).toEqual([expect.objectContaining({ kind: 'handshake', status: 201 })]);
  const [found, ...others] = await SUBSCRIBERS.list(configuration());
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: ID, endpoint: receiver.endpoint, dataTypes: DATA_TYPES, state: 'ACTIVE' });
  expect(found?.raw).toMatchObject({ endpointUri: receiver.endpoint, subscriberConfigs: [{ dataTypes: DATA_TYPES }] });
  expect(JSON.stringify(found)).not.toContain('s3cret');
  expect(await SUBSCRIBERS.remove(configuration(), ID)).toEqual({ id: ID, status: 'deleted' });
  expect(await SUBSCRIBERS.list(configuration())).toEqual([]);
});

it('accepts an operation or a subscriber as the response', async () => {
  await simulator.control.setBehaviour({ subscriberAnswer: 'subscriber' });
  expect(await SUBSCRIBERS.ensure(configuration(), receiver.endpoint)).toMatchObject([{ status: 'created' }]);
  expect(await SUBSCRIBERS.ensure(configuration(), receiver.endpoint)).toMatchObject([{ status: 'updated' }]);
  expect(await SUBSCRIBERS.remove(configuration(), ID)).toMatchObject({ status: 'deleted' });
});

it('updates an existing subscriber’s endpoint, types and secret', async () => {
  await googleSubscribers(['weight'], new ServiceTokens({})).ensure(configuration(), `${receiver.endpoint}/old`);
  receiver.secrets = ['newer-s3cret'];
  const changed = configuration({}, 'newer-s3cret');
  expect(await SUBSCRIBERS.ensure(changed, receiver.endpoint)).toEqual([{ id: ID, status: 'updated' }]);
  const [found] = await SUBSCRIBERS.list(changed);
  expect(found).toMatchObject({ endpoint: receiver.endpoint, dataTypes: DATA_TYPES, state: 'ACTIVE' });
  // With the old secret the handshake of the change would fail.
  expect(receiver.deliveries.at(-1)?.kind).toBe('handshake');
  receiver.secrets = ['hook-s3cret'];
});

it('identifies a registration by vendor, project, ID, URL and types', () => {
  const { api } = simulator.urls;
  expect(SUBSCRIBERS.registration(configuration(), receiver.endpoint)).toEqual({
    name: `${api}/v4/projects/${simulator.projectNumber}/subscribers/${ID}`,
    endpoint: receiver.endpoint,
    dataTypes: DATA_TYPES,
  });
});

it('lists subscribers over two pages', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `healthd-${String(index).padStart(3, '0')}`);
  for (const id of ids) await SUBSCRIBERS.ensure(configuration({ SUBSCRIBER_ID: id }), receiver.endpoint);
  await simulator.control.clearRequests();
  expect((await SUBSCRIBERS.list(configuration())).map(({ id }) => id).sort()).toEqual(ids);
  expect(await simulator.control.requests({ role: 'subscribers' })).toHaveLength(2);
});

it('updates only the endpoint', async () => {
  await SUBSCRIBERS.ensure(configuration(), `${receiver.endpoint}/old`);
  await simulator.control.clearRequests();
  expect(await SUBSCRIBERS.update(configuration(), ID, receiver.endpoint)).toEqual({ id: ID, status: 'updated' });
  const [request] = await simulator.control.requests({ role: 'subscribers' });
  expect(request).toMatchObject({ method: 'PATCH', query: { updateMask: 'endpointUri' } });
  expect((await SUBSCRIBERS.list(configuration()))[0]).toMatchObject({
    endpoint: receiver.endpoint,
    dataTypes: DATA_TYPES,
  });
});

it('rejects updating a missing subscriber', async () => {
  expect((await failure(SUBSCRIBERS.update(configuration(), 'not-there', receiver.endpoint))).code).toBe('not_found');
});

it('reports a missing subscriber as deleted', async () => {
  expect(await SUBSCRIBERS.remove(configuration(), 'not-there')).toEqual({ id: 'not-there', status: 'deleted' });
});

it('reports a failed handshake as permanent', async () => {
  receiver.secrets = ['quite another'];
  const error = await failure(SUBSCRIBERS.ensure(configuration(), receiver.endpoint));
  receiver.secrets = ['hook-s3cret'];
  expect(error).toMatchObject({ code: 'invalid_request', reason: 'FAILED_PRECONDITION' });
  expect(await SUBSCRIBERS.list(configuration())).toEqual([]);
});

it('receives signed notifications', async () => {
  await SUBSCRIBERS.ensure(configuration(), receiver.endpoint);
  const account = await simulator.control.addAccount({ timeZone: 'Europe/Warsaw' });
  await grantEverything(account.id);
  for (const signatureHeader of ['current', 'legacy'] as const) {
    await simulator.control.setBehaviour({ signatureHeader });
    receiver.deliveries.length = 0;
    const startTime = '2026-04-02T16:40:00Z';
    const endTime = '2026-04-02T16:50:00Z';
    await simulator.control.addPoints(account.id, [{ dataType: 'steps', startTime, endTime, value: 118 }]);
    await expect.poll(() => receiver.deliveries).toHaveLength(1);
    expect(receiver.deliveries[0]).toMatchObject({
      kind: 'notifications',
      notifications: [
        {
          providerUserId: account.healthUserId,
          dataType: 'steps',
          operation: 'upsert',
          ranges: [{ startMs: Date.parse(startTime), endMs: Date.parse(endTime) }],
        },
      ],
    });
    await expect.poll(async () => (await simulator.control.deliveries()).at(-1)?.state).toBe('delivered');
  }
});

/** Gives the user's consent without the page. */
async function grantEverything(account: string): Promise<void> {
  const { authorize, token } = simulator.urls;
  const scope = 'https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly';
  const redirect_uri = 'http://127.0.0.1/callback';
  await simulator.control.setConsent({ account });
  const query = { client_id: simulator.client.id, redirect_uri, response_type: 'code', scope, access_type: 'offline' };
  const consent = await fetch(`${authorize}?${new URLSearchParams({ ...query, state: 's' })}`, { redirect: 'manual' });
  const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { id: client_id, secret: client_secret } = simulator.client;
  const form = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret };
  const granted = await fetch(token, { method: 'POST', body: new URLSearchParams(form) });
  expect(granted.status).toBe(200);
}

it('retries after two server errors', async () => {
  await simulator.control.addFault({ kind: 'error', status: 503, times: 2, match: { role: 'subscribers' } });
  expect(await SUBSCRIBERS.ensure(configuration(), receiver.endpoint)).toMatchObject([{ status: 'created' }]);
});

it('reports an operator error after one renewal of the token', async () => {
  await simulator.control.addFault({ kind: 'unauthorized', match: { role: 'subscribers' } });
  expect(await SUBSCRIBERS.list(configuration())).toEqual([]);
  await simulator.control.addFault({ kind: 'unauthorized', times: null, match: { role: 'subscribers' } });
  expect((await failure(SUBSCRIBERS.list(configuration()))).code).toBe('operator');
});

it('reports missing permissions and credentials as operator errors', async () => {
  await simulator.control.addFault({ kind: 'error', status: 403, match: { role: 'subscribers' } });
  expect((await failure(SUBSCRIBERS.list(configuration()))).code).toBe('operator');
  const file = join(folder, 'missing.json');
  expect(await failure(SUBSCRIBERS.list(configuration({ SERVICE_ACCOUNT_FILE: file })))).toMatchObject({
    code: 'operator',
    reason: 'credentials_unreadable',
  });
});

it('rejects invalid settings before any request', async () => {
  expect(SUBSCRIBERS.manageable(configuration())).toBe(true);
  expect(SUBSCRIBERS.manageable(configuration({ PROJECT_ID: undefined }))).toBe(false);
  const ensured = (change: Record<string, string>, secret?: string) =>
    failure(SUBSCRIBERS.ensure(configuration(change, secret), receiver.endpoint));
  expect(await ensured({ PROJECT_ID: simulator.projectId })).toMatchObject({ code: 'operator', reason: 'PROJECT_ID' });
  for (const id of ['', 'abc', '1abc', 'abcd-', 'Abcd', 'a/../b', `a${'b'.repeat(36)}`]) {
    expect(await ensured({ SUBSCRIBER_ID: id }), id).toMatchObject({ code: 'operator', reason: 'SUBSCRIBER_ID' });
  }
  expect(await ensured({}, '')).toMatchObject({ code: 'operator', reason: 'WEBHOOK_SECRET' });
  expect((await failure(SUBSCRIBERS.ensure(configuration(), 'ftp://x'))).code).toBe('invalid_request');
  expect(await simulator.control.requests({ role: 'subscribers' })).toEqual([]);
});
