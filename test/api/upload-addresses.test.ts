import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { deriveKey } from '@healthd/daemon/accounts';
import { UploadAddresses } from '@healthd/daemon/ingest/files';
import type { ImportAccepted, UploadAddress } from '@healthd/schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answered, type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';
import { eventually } from './import-fixture.js';
import { stepsExport, stepsRecord } from './import-xml.js';

const PORTAL = 'https://portal.clinic.example';
const MAX_BYTES = 12_000_000;

let service: WholeService;
let key: Call;
let user: string;
beforeAll(async () => {
  const settings = { API_BASE_URL: 'https://health.clinic.example', CORS_ORIGINS: PORTAL };
  service = await startWholeService({ ...settings, IMPORT_MAX_BYTES: String(MAX_BYTES) }, 'all');
  key = caller(service, { [service.apiKeyHeader]: service.apiKey });
  user = (await key('POST', '/api/v1/users')).body.id;
});
afterAll(() => service.stop());

const ask = (body: unknown = {}, id = user) => key('POST', `/api/v1/users/${id}/import/apple/xml/s3`, body);
async function addressOf(body: unknown = {}, id = user): Promise<UploadAddress> {
  const response = await ask(body, id);
  expect(response.status).toBe(200);
  return response.body;
}

/** Uploads like a portal page: all form fields, then the file, without a credential. */
async function upload({ upload_url, form_fields }: Pick<UploadAddress, 'upload_url' | 'form_fields'>, content: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries(form_fields)) form.set(name, value);
  form.set('file', new Blob([content]), 'other name.xml');
  const address = new URL(upload_url);
  const sent = `${service.url}${address.pathname}${address.search}`;
  return fetch(sent, { method: 'POST', body: form, headers: { Origin: PORTAL } });
}

async function stepsOf(id: string): Promise<Answered> {
  const range = 'start_date=2026-01-05&end_date=2026-01-06';
  return key('GET', `/api/v1/users/${id}/summaries/activity?${range}`);
}

test('returns an upload URL with object-storage fields', async () => {
  const uploadUrl = await addressOf({ filename: 'my export/ä.xml', expiration_seconds: 60, max_file_size: 2048 });
  expect(uploadUrl).toEqual({
    upload_url: expect.stringMatching(
      /^https:\/\/health\.clinic\.example\/api\/v1\/import\/apple\/xml\/upload\?token=/,
    ),
    form_fields: { 'Content-Type': 'application/xml', key: `${user}/raw/myexport.xml` },
    file_key: `${user}/raw/myexport.xml`,
    expires_in: 60,
    max_file_size: 2048,
    bucket: 'imports',
  });
});

test("returns default limits within the service's limits", async () => {
  const uploadUrl = await addressOf();
  expect(uploadUrl).toMatchObject({ expires_in: 300, max_file_size: MAX_BYTES });
  expect(uploadUrl.file_key).toMatch(new RegExp(`^${user}/raw/\\d+\\.xml$`));
});

test.each([
  { expiration_seconds: 59 },
  { expiration_seconds: 3601 },
  { max_file_size: 1023 },
  { filename: 'x'.repeat(201) },
])('rejects an upload URL with %j', async (body) => {
  expect((await ask(body)).status).toBe(422);
});

test('requires a credential and an existing user for upload URLs', async () => {
  const path = `/api/v1/users/${user}/import/apple/xml/s3`;
  expect((await caller(service, {})('POST', path, {})).status).toBe(401);
  expect((await ask({}, randomUUID())).status).toBe(404);
});

test('imports a file once under the requested name', async () => {
  const { body } = await key('POST', '/api/v1/users');
  const address = await addressOf({ filename: 'export.xml' }, body.id);
  const response = await upload(address, stepsExport(3));
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe(PORTAL);
  const accepted = (await response.json()) as { run_id: string; user_id: string };
  expect(accepted).toMatchObject({ status: 'processing', user_id: body.id });
  await eventually(async () => {
    const run = (await key('GET', `/api/v1/sync/runs/${accepted.run_id}`)).body;
    expect([run.status, run.metadata.filename]).toEqual(['success', 'export.xml']);
  });
  expect((await stepsOf(body.id)).body.data).toMatchObject([{ steps: 30 }]);

  const again = await upload(address, stepsExport(4));
  expect(again.status).toBe(409);
  expect((await key('GET', `/api/v1/users/${body.id}/sync/runs`)).body).toHaveLength(1);
});

test('imports a file above ten megabytes completely', async () => {
  const { body } = await key('POST', '/api/v1/users');
  const { upload_url, form_fields } = await addressOf({ filename: 'export.xml', max_file_size: MAX_BYTES }, body.id);
  const address = new URL(upload_url);
  const response = await fetch(`${service.url}${address.pathname}${address.search}`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=large' },
    body: Readable.from(largeForm(form_fields)),
    duplex: 'half',
  });
  expect(response.status).toBe(200);
  const { run_id } = (await response.json()) as ImportAccepted;
  await eventually(async () => expect((await key('GET', `/api/v1/sync/runs/${run_id}`)).body.status).toBe('success'));
  expect((await stepsOf(body.id)).body.data).toMatchObject([{ steps: 20 }]);
});

/** Yields a form whose file has a record at each end and eleven megabytes of blank lines in between. */
function* largeForm(fields: Record<string, string>): Generator<Buffer> {
  for (const [name, value] of Object.entries(fields)) {
    yield Buffer.from(`--large\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  }
  yield Buffer.from('--large\r\nContent-Disposition: form-data; name="file"; filename="export.xml"\r\n\r\n');
  yield Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<HealthData>\n${stepsRecord(0)}`);
  const lines = Buffer.alloc(100_000, '\n');
  for (let piece = 0; piece < 110; piece++) yield lines;
  yield Buffer.from(`${stepsRecord(1)}</HealthData>\r\n--large--\r\n`);
}

test('accepts one of three concurrent files', async () => {
  const { body } = await key('POST', '/api/v1/users');
  const address = await addressOf({}, body.id);
  const responses = await Promise.all([1, 2, 3].map((count) => upload(address, stepsExport(count))));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await key('GET', `/api/v1/users/${body.id}/sync/runs`)).body).toHaveLength(1);
});

test('accepts a smaller file after rejecting an oversized file', async () => {
  const address = await addressOf({ max_file_size: 1024 });
  const rejected = await upload(address, stepsExport(50));
  expect(rejected.status).toBe(413);
  expect((await upload(address, stepsExport(1))).status).toBe(200);
});

test('rejects a changed, foreign or expired upload URL', async () => {
  const { upload_url, form_fields } = await addressOf();
  const grant = { userId: user, filename: undefined, maxBytes: 1000, mode: 'merge' as const, dryRun: false };
  const path = '/api/v1/import/apple/xml/upload';
  const own = new UploadAddresses(deriveKey(service.signingKey, 'upload-address'), service.url);
  const foreign = new UploadAddresses(deriveKey(service.signingKey, 'sdk-access'), service.url);
  const device = await service.accounts.userTokens.issue(user, { kind: 'developer', developerId: randomUUID() });
  const addresses = [
    upload_url.replace('token=e', 'token=f'),
    await foreign.issue(path, grant, 60),
    await own.issue(path, grant, -1),
    `${service.url}${path}?token=${device?.access_token}`,
  ];
  for (const address of addresses) {
    const response = await upload({ upload_url: address, form_fields }, stepsExport(1));
    expect(response.status).toBe(403);
  }
  const good = await own.issue(path, { ...grant, maxBytes: 10_000 }, 60);
  expect((await upload({ upload_url: good, form_fields }, stepsExport(1))).status).toBe(200);
});

test('imports a file in the requested mode', async () => {
  const path = `/api/v1/users/${user}/import/apple/xml/s3?mode=replace&dry_run=true`;
  const { body } = await key('POST', path, {});
  const accepted = (await (await upload(body, stepsExport(1))).json()) as ImportAccepted;
  const run = await key('GET', `/api/v1/sync/runs/${accepted.run_id}`);
  expect(run.body.metadata).toMatchObject({ mode: 'replace', dry_run: true });
});

test('returns 404 for an upload URL after its user is deleted', async () => {
  const { body } = await key('POST', '/api/v1/users');
  const address = await addressOf({}, body.id);
  const { email, password } = service;
  const tokens = await service.accounts.sessions.login({ email, password, address: undefined });
  const developer = caller(service, { Authorization: `Bearer ${tokens.access_token}` });
  expect((await developer('DELETE', `/api/v1/users/${body.id}`)).status).toBe(200);
  expect((await upload(address, stepsExport(1))).status).toBe(404);
});

test('records the user of an upload, never its token', async () => {
  const { body } = await key('POST', '/api/v1/users');
  const address = await addressOf({}, body.id);
  expect((await upload(address, stepsExport(1))).status).toBe(200);
  const { rows } = await service.pool.query(
    "select action from audit_event where user_id = $1 and resource = 'health_data'",
    [body.id],
  );
  expect(rows).toEqual([{ action: 'import' }]);
  const token = new URL(address.upload_url).searchParams.get('token') ?? '';
  expect(token.length).toBeGreaterThan(100);
  expect(service.logLines.join('')).not.toContain(token);
});

test('allows a preflight request from a portal page', async () => {
  const { upload_url } = await addressOf();
  const address = new URL(upload_url);
  const response = await fetch(`${service.url}${address.pathname}${address.search}`, {
    method: 'OPTIONS',
    headers: {
      Origin: PORTAL,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-requested-with',
    },
  });
  expect(response.status).toBeLessThan(300);
  expect(response.headers.get('access-control-allow-origin')).toBe(PORTAL);
  expect(response.headers.get('access-control-allow-methods')).toContain('POST');
});
