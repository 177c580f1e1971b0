import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { VendorError } from '../cloud/index.js';
import { json, VendorServer } from '../cloud/testing/vendor-server.js';
import { ServiceTokens } from './service-tokens.js';

let simulator: GoogleSimulator;
let folder: string;
let server: VendorServer;
let nowMs: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-'));
  simulator = await startGoogleSimulator();
  server = await new VendorServer().start();
});
afterAll(async () => {
  await simulator.close();
  await server.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  nowMs = Date.now();
  await simulator.control.setClock(new Date(nowMs).toISOString());
  await simulator.control.clearRequests();
});

async function write(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function access(environment: Record<string, string>, file?: string, tokens = tokensIn(environment)) {
  const { api, authorize, token } = simulator.urls;
  return tokens.access({ scope: '', addresses: { api, authorize, token }, values: { SERVICE_ACCOUNT_FILE: file } });
}

function tokensIn(environment: Record<string, string>): ServiceTokens {
  return new ServiceTokens({ HOME: join(folder, 'nobody'), ...environment }, () => nowMs);
}

/** True if the vendor accepts the token for subscriber calls. */
async function opens(accessToken: string): Promise<boolean> {
  const { status } = await fetch(`${simulator.urls.api}/v4/projects/${simulator.projectNumber}/subscribers`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return status === 200;
}

async function failure(call: Promise<unknown>): Promise<VendorError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof VendorError)) throw new Error('no VendorError');
  expect(error.message).not.toContain(folder);
  expect(error.cause).toBeUndefined();
  return error;
}

it("exchanges a key file's assertion for an access token", async () => {
  const file = await write('key.json', await simulator.control.serviceAccountKey());
  const { tokens, headers } = await access({}, file);
  expect(await opens(await tokens.current())).toBe(true);
  expect(headers).toEqual({});
});

it('reuses a token until a minute before it expires', async () => {
  const file = await write('key.json', await simulator.control.serviceAccountKey());
  const cached = tokensIn({});
  const ask = async () => (await access({}, file, cached)).tokens.current();
  const pass = async (seconds: number) => {
    nowMs += seconds * 1000;
    await simulator.control.advanceClock(seconds);
  };
  const first = await ask();
  await pass(3500);
  expect(await ask()).toBe(first);
  await pass(60);
  expect(await ask()).not.toBe(first);
  expect(await simulator.control.requests({ role: 'token' })).toHaveLength(2);
});

it('replaces a rejected token', async () => {
  const file = await write('key.json', await simulator.control.serviceAccountKey());
  const { tokens } = await access({}, file);
  const first = await tokens.current();
  const second = await tokens.renew(first);
  expect(second).not.toBe(first);
  expect(await tokens.current()).toBe(second);
});

it('falls back to GOOGLE_APPLICATION_CREDENTIALS', async () => {
  const file = await write('ambient.json', await simulator.control.serviceAccountKey());
  const { tokens } = await access({ GOOGLE_APPLICATION_CREDENTIALS: file });
  expect(await opens(await tokens.current())).toBe(true);
});

it("bills the project in a user account's credentials", async () => {
  const user = await simulator.control.authorizedUser();
  const home = join(folder, 'person');
  await mkdir(join(home, '.config', 'gcloud'), { recursive: true });
  await write('person/.config/gcloud/application_default_credentials.json', {
    ...user,
    quota_project_id: 'my-project',
  });
  const { tokens, headers } = await access({ HOME: home });
  expect(await opens(await tokens.current())).toBe(true);
  expect(headers).toEqual({ 'x-goog-user-project': 'my-project' });
});

it('uses the metadata server on a cloud machine', async () => {
  const { tokens } = await access({ GCE_METADATA_HOST: simulator.urls.metadataHost });
  expect(await opens(await tokens.current())).toBe(true);
});

it('treats a metadata server failure as transient', async () => {
  server.answer(json(503, {}));
  const { tokens } = await access({ GCE_METADATA_HOST: server.origin.replace('http://', '') });
  expect((await failure(tokens.current())).code).toBe('unavailable');
  expect(server.seen[0]?.headers['metadata-flavor']).toBe('Google');
  expect(await failure(access({ GCE_METADATA_HOST: 'a/b?c' }))).toMatchObject({ reason: 'GCE_METADATA_HOST' });
});

it('reports rejected credentials as an operator error', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const file = await write('foreign.json', { ...(await simulator.control.serviceAccountKey()), private_key });
  const { tokens } = await access({}, file);
  expect(await failure(tokens.current())).toMatchObject({ code: 'operator', reason: 'invalid_grant' });
});

it('reports an unusable file without its content', async () => {
  const key = await simulator.control.serviceAccountKey();
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const cases: [unknown, string][] = [
    ['{ "private_key": "s3cret', 'credentials_type'],
    [[], 'credentials_type'],
    [{ type: 'external_account' }, 'credentials_type'],
    [{ ...key, client_email: '' }, 'client_email'],
    [{ ...key, private_key: 's3cret' }, 'private_key'],
    [{ ...key, private_key: ec }, 'private_key'],
    [{ type: 'authorized_user', client_id: 'a', client_secret: 'b' }, 'refresh_token'],
  ];
  for (const [content, reason] of cases) {
    const file = await write('odd.json', content);
    expect(await failure(access({}, file))).toMatchObject({ code: 'operator', reason });
  }
  expect(await failure(access({}, join(folder, 'missing.json')))).toMatchObject({ reason: 'credentials_unreadable' });
  expect(await failure(access({}, folder))).toMatchObject({ reason: 'credentials_unreadable' });
});
