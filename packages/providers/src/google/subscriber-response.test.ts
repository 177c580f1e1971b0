import { afterAll, beforeAll, expect, it } from 'vitest';
import { VendorError } from '../cloud/index.js';
import { json, VendorServer } from '../cloud/testing/vendor-server.js';
import { ServiceTokens } from './service-tokens.js';
import { googleSubscribers } from './subscribers.js';

let server: VendorServer;
beforeAll(async () => {
  server = await new VendorServer().start();
});
afterAll(() => server.stop());

const TOKEN = json(200, { access_token: 'ya29', expires_in: 3599 });
const NAME = 'projects/12/subscribers/healthd';

function subscribers() {
  const environment = { GCE_METADATA_HOST: server.origin.replace('http://', ''), HOME: '/nonexistent' };
  return googleSubscribers(['steps'], new ServiceTokens(environment));
}

function configuration() {
  return {
    scope: '',
    addresses: { api: server.origin, authorize: '', token: '' },
    webhookSecret: 's',
    values: { PROJECT_ID: '12', SUBSCRIBER_ID: 'healthd' },
  };
}

it('reports an error inside an operation with status 200', async () => {
  const errors: [unknown, Partial<VendorError>][] = [
    [
      { code: 9, message: 'Endpoint of Jane' },
      { code: 'invalid_request', reason: 'FAILED_PRECONDITION', status: 400 },
    ],
    [
      { code: 7, message: '' },
      { code: 'operator', status: 403 },
    ],
    [{ code: 14 }, { code: 'unavailable', status: 503 }],
    [{ code: 8 }, { code: 'rate_limited' }],
    [{ code: 99 }, { code: 'unavailable' }],
    [{}, { code: 'unavailable' }],
  ];
  for (const [error, expected] of errors) {
    server.answer(TOKEN, json(200, { name: 'operations/1', done: true, error }));
    const thrown = await subscribers()
      .ensure(configuration(), 'https://hooks.example.org/x')
      .catch((failure: unknown) => failure);
    expect(thrown).toBeInstanceOf(VendorError);
    expect(thrown).toMatchObject(expected);
    expect(String(thrown)).not.toContain('Jane');
  }
});

it('updates the subscriber after a conflict inside an operation', async () => {
  server.answer(
    TOKEN,
    json(200, { done: true, error: { code: 6 } }),
    json(200, { done: true, response: { name: NAME } }),
  );
  expect(await subscribers().ensure(configuration(), 'https://hooks.example.org/x')).toEqual([
    { id: 'healthd', status: 'updated' },
  ]);
  expect(server.seen.map(({ method, url }) => `${method} ${url}`).slice(1)).toEqual([
    'POST /v4/projects/12/subscribers?subscriberId=healthd',
    'PATCH /v4/projects/12/subscribers/healthd?updateMask=endpointUri%2CsubscriberConfigs%2CendpointAuthorization',
  ]);
});

it('lists the valid entries of all pages until one repeats', async () => {
  const page = (id: string, nextPageToken?: string) =>
    json(200, { subscribers: [null, {}, { name: `projects/12/subscribers/${id}` }], nextPageToken });
  server.answer(TOKEN, page('one', 'p2'), page('two', 'p3'), page('three', ''));
  expect((await subscribers().list(configuration())).map(({ id }) => id)).toEqual(['one', 'two', 'three']);
  server.answer(TOKEN, json(200, {}));
  expect(await subscribers().list(configuration())).toEqual([]);
  server.answer(TOKEN, page('one', 'p2'), page('one', 'p2'));
  await expect(subscribers().list(configuration())).rejects.toMatchObject({ code: 'invalid_answer' });
});

it('never returns a secret from the vendor', async () => {
  const endpointAuthorization = { secret: 'Bearer s3cret', secretSet: true };
  server.answer(TOKEN, json(200, { subscribers: [{ name: NAME, endpointAuthorization }] }));
  const [found] = await subscribers().list(configuration());
  expect(found?.raw).toEqual({ name: NAME, endpointAuthorization: { secretSet: true } });
});
