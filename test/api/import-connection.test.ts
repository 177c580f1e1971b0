import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';
import { eventually } from './import-fixture.js';
import { stepsExport } from './import-xml.js';

let service: WholeService;
let call: Call;
let userId: string;

beforeAll(async () => {
  service = await startWholeService({}, 'all');
  call = caller(service, { [service.apiKeyHeader]: service.apiKey });
  userId = (await call('POST', '/api/v1/users', {})).body.id;
});
afterAll(() => service.stop());

/** Uploads an export and waits until its import ends. */
async function importExport(records: number): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([stepsExport(records)]), 'export.xml');
  const response = await fetch(`${service.url}/api/v1/users/${userId}/import/apple/xml/direct`, {
    method: 'POST',
    headers: { [service.apiKeyHeader]: service.apiKey },
    body: form,
  });
  const { run_id: runId } = (await response.json()) as { run_id: string };
  await eventually(async () => {
    expect((await call('GET', `/api/v1/sync/runs/${runId}`)).body.status).toBe('success');
  }, 30);
}

const connections = async () => (await call('GET', `/api/v1/users/${userId}/connections`)).body;

test("connects the file's provider unless the user ended the connection", async () => {
  expect(await connections()).toEqual([]);
  await importExport(2);
  const [first, ...others] = await connections();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ provider: 'apple', status: 'active', has_authorization: false, status_reason: null });
  expect(Date.parse(first.last_synced_at)).toBeGreaterThan(0);

  await importExport(3);
  const [second] = await connections();
  expect(second.id).toBe(first.id);
  expect(Date.parse(second.last_synced_at)).toBeGreaterThan(Date.parse(first.last_synced_at));

  const ended = await call('DELETE', `/api/v1/users/${userId}/connections/apple`);
  expect(ended.status).toBeLessThan(300);
  await importExport(4);
  const [third] = await connections();
  expect(third).toMatchObject({ status: 'revoked', last_synced_at: second.last_synced_at });
});
