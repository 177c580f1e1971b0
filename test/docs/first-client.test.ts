import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generatePythonClient, pythonGenerator } from '../../scripts/python-client.mjs';
import { compileInFolder, publishedClientFolder } from '../support/published-client.js';
import { runPython } from '../support/python-client.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';
import { ROOT } from './documents.js';

const run = promisify(execFile);
const page = readFileSync(join(ROOT, 'docs/first-client.md'), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

const PROGRAM = `
import { ApiError, createClient, type components } from '@healthd/client';

const [baseUrl = '', apiKey = '', apiKeyHeader = '', username = '', password = ''] = process.argv.slice(2);
const anybody = createClient({ baseUrl });
const { access_token } = await anybody.login({ body: { username, password } });
const client = createClient({ baseUrl, apiKey, apiKeyHeader, accessToken: () => access_token });

const user: components['schemas']['User'] = await client.createUser({ body: { first_name: 'Anna' } });
const params = { user_id: user.id };
const days = await client.getActivitySummary({ params, query: { start_date: '2026-03-10', end_date: '2026-03-11' } });
const renamed = await client.updateUser({ params, body: { first_name: 'Ann' } });
const users = await client.listUsers({ query: { limit: 1 } });
const archive: Response = await client.exportUser({ params });
let failure: unknown;
try {
  await client.getUser({ params: { user_id: '00000000-0000-4000-8000-000000000000' } });
} catch (error) {
  if (error instanceof ApiError) failure = [error.status, error.requestId !== undefined];
}
const file = new Blob(['<?xml version="1.0"?><HealthData></HealthData>']);
const imported = await client.importAppleExport({ params, body: file });
const deleted = await client.deleteUser({ params });
console.log(JSON.stringify({
  days: days.data.length,
  renamed: renamed.first_name,
  users: users.items.length,
  archive: (await archive.arrayBuffer()).byteLength > 100,
  failure,
  imported: imported.user_id === user.id,
  deleted: deleted.id === user.id,
}));
`;

/** A call that the types must reject. */
const WRONG = `
import { createClient } from '@healthd/client';
await createClient({ baseUrl: '' }).getUser({ params: { id: 'x' } });
`;

let service: WholeService;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startWholeService({}, 'all');
  folder = await publishedClientFolder();
  env = { HEALTHD_URL: service.url, HEALTHD_API_KEY: service.apiKey };
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("gets the documented output from the page's TypeScript program", async () => {
  expect(await compileInFolder(folder, 'page', block('ts'))).toBe('');
  const { stdout } = await run(process.execPath, [join(folder, 'page/program.js')], {
    env: { ...process.env, ...env },
  });
  expect(stdout).toBe(block('text'));
});

test("gets the documented output from the page's Python program", async ({ skip }) => {
  const generator = await pythonGenerator();
  if ('missing' in generator) return skip(generator.missing);
  const document = join(folder, 'openapi.json');
  await writeFile(document, await (await fetch(`${service.url}/openapi.json`)).text());
  await generatePythonClient(generator.modules, document, join(folder, 'client'));
  service.watch.knowHeaders(new Headers({ 'X-Service-API-Key': service.apiKey }));
  expect(await runPython(generator.modules, block('python'), folder, [], env)).toBe(block('text'));
});

test('compiles and runs an application with only the packed client', async () => {
  expect(await compileInFolder(folder, 'good', PROGRAM)).toBe('');
  const { stdout } = await run(process.execPath, [
    join(folder, 'good/program.js'),
    service.url,
    service.apiKey,
    service.apiKeyHeader,
    service.email,
    service.password,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    days: 0,
    renamed: 'Ann',
    users: 1,
    archive: true,
    failure: [404, true],
    imported: true,
    deleted: true,
  });
});

test('does not compile a call with a wrong parameter name', async () => {
  expect(await compileInFolder(folder, 'wrong', WRONG)).toContain('user_id');
});
