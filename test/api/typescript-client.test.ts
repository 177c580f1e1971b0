import { rm } from 'node:fs/promises';
import { recordedExamples } from '@healthd/daemon/http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileTypescript, runCompiled, typescriptClientFolder } from '../support/typescript-client.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const [baseUrl = '', header = '', key = '', username = '', password = ''] = process.argv.slice(2);
const server = createClient<paths>({ baseUrl, headers: { [header]: key } });

function body<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const login = body(await server.POST('/api/v1/auth/login', {
  body: { username, password },
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
}));
const developer = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${login.access_token}\` } });

const user: components['schemas']['User'] = body(await server.POST('/api/v1/users', { body: { first_name: 'Anna' } }));
const path = { user_id: user.id };
const march = { start_date: '2026-03-10', end_date: '2026-03-11' };
const steps: components['schemas']['SeriesType'] = 'steps';
const renamed = body(await developer.PATCH('/api/v1/users/{user_id}', { params: { path }, body: { first_name: 'Ann' } }));
const users = body(await server.GET('/api/v1/users', { params: { query: { limit: 5, sort_by: 'email' } } }));
const made = body(await developer.POST('/api/v1/developer/api-keys', { body: { name: 'Reports', scopes: ['read'] } }));
const activity = body(await server.GET('/api/v1/users/{user_id}/summaries/activity', { params: { path, query: march } }));
const samples = body(await server.GET('/api/v1/users/{user_id}/timeseries', {
  params: { path, query: { ...march, types: [steps] } },
}));
const workouts = body(await server.GET('/api/v1/users/{user_id}/events/workouts', { params: { path, query: march } }));
const pushed = body(await server.POST('/api/v1/sdk/users/{user_id}/sync', {
  params: { path },
  body: {
    provider: 'apple',
    sdkVersion: '0.11.0',
    syncTimestamp: '2026-03-10T08:00:00Z',
    data: {
      records: [{
        type: 'HKQuantityTypeIdentifierStepCount',
        startDate: '2026-03-10T07:00:00Z',
        endDate: '2026-03-10T07:05:00Z',
        value: 120,
        unit: 'count',
      }],
    },
  },
}));
const imported = body(await server.POST('/api/v1/users/{user_id}/import/apple/xml/direct', {
  params: { path },
  body: { file: '<?xml version="1.0"?><HealthData locale="en_US"></HealthData>' },
  bodySerializer({ file }) {
    const form = new FormData();
    form.set('file', new Blob([file]), 'export.xml');
    return form;
  },
}));
const runs = body(await server.GET('/api/v1/sync/runs', { params: { query: { user_id: user.id } } }));
const removed = body(await developer.DELETE('/api/v1/users/{user_id}', { params: { path } }));
const gone = await server.GET('/api/v1/users/{user_id}', { params: { path } });
// @ts-expect-error: the document has no such parameter
const misspelt = await server.GET('/api/v1/users', { params: { query: { limitt: 5 } } });

console.log(JSON.stringify({
  names: [user.first_name, renamed.first_name, removed.first_name],
  moved: renamed.moved_days,
  total: users.total,
  scopes: made.scopes,
  days: [activity.data.length, activity.pagination.has_more],
  samples: samples.data.map((sample) => sample.value),
  workouts: workouts.data.map((workout) => workout.type),
  runs: runs.map((run) => run.run_id).sort(),
  expected: [pushed.batch_id, imported.run_id].sort(),
  gone: gone.error,
  misspelt: misspelt.response.status,
}));
`;

let service: WholeService;
let document = '';
let folder = '';
beforeAll(async () => {
  service = await startWholeService();
  document = await (await fetch(`${service.url}/openapi.json`)).text();
  folder = await typescriptClientFolder(document);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

test('calls thirteen operations with a TypeScript client generated from the document', async () => {
  expect(await compileTypescript(folder, PROGRAM)).toBe('');

  const { url, apiKeyHeader, apiKey, email, password } = service;
  service.watch.knowHeaders(new Headers({ [apiKeyHeader]: apiKey }));
  service.watch.knowBody({ password });
  const output = (await runCompiled(folder, [url, apiKeyHeader, apiKey, email, password])) as { expected: string[] };
  expect(output).toEqual({
    names: ['Anna', 'Ann', 'Ann'],
    moved: null,
    total: 1,
    scopes: ['read'],
    days: [0, false],
    samples: [],
    workouts: [],
    runs: output.expected,
    expected: [expect.any(String), expect.any(String)],
    gone: { detail: expect.any(String) },
    misspelt: 422,
  });
});

test('shows the recorded examples in the served document', () => {
  const { post } = JSON.parse(document).paths['/api/v1/users'];
  const stored = recordedExamples().of('createUser');
  expect(post.requestBody.content['application/json'].example).toEqual(stored?.body);
  expect(post.responses[201].content['application/json'].example).toMatchObject({ first_name: 'Anna' });
});
