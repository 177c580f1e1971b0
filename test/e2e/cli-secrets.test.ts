import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf } from './cli-responses.js';
import { startWorld, type World } from './cli-world.js';
import { answerPrompts } from './questions.js';

let world: World;
let user: string;
beforeAll(async () => {
  world = await startWorld();
  user = (await json('users', 'create')).id;
});
afterAll(() => world?.stop());

const json = (...args: string[]) => jsonOf(world, args);

test('hides a typed refresh token', async () => {
  const { code } = await json('tokens', 'code', '--user', user);
  const { refresh_token } = await json('tokens', 'redeem', code);
  const answer = { question: 'Refresh token', types: refresh_token, isSecret: true };
  const ended = await answerPrompts(world, ['tokens', 'revoke'], [answer]);
  expect(ended.code, ended.shown).toBe(0);
  expect(ended.shown).toContain('Revoked');
});

test('hides a typed application secret', async () => {
  const { app_id, app_secret } = await json('apps', 'create', 'Diary');
  const answer = { question: 'App secret', types: app_secret, isSecret: true };
  const ended = await answerPrompts(world, ['tokens', 'create', '--user', user, '--app', app_id], [answer]);
  expect(ended.code, ended.shown).toBe(0);
  expect(ended.shown).toContain('Access token');
});

test('stores a typed API key without echo', async () => {
  const { key } = await json('keys', 'create', '--name', 'Laptop');
  const home = join(world.folder, 'laptop');
  const answer = { question: 'API key or refresh token', types: key, isSecret: true };
  const ended = await answerPrompts({ ...world, home }, ['login', '--with-token', '--url', world.url], [answer]);
  expect(ended.code, ended.shown).toBe(0);
  expect(ended.shown).toContain('Logged in');
  expect(await readFile(join(home, '.config/healthctl/config.json'), 'utf8')).toContain(key);
});

test('logs in a script with a key from stdin', async () => {
  const { key } = await json('keys', 'create', '--name', 'Script');
  const home = join(world.folder, 'script');
  const login = (input: string) => world.healthctl(['login', '--with-token', '--url', world.url], { input, home });
  expect(await login(`${key}\n`)).toMatchObject({ code: 0 });
  expect(await login('a password\n')).toMatchObject({ code: 2, stderr: expect.stringContaining('secret_unknown') });
  expect(await login('')).toMatchObject({ code: 2, stderr: expect.stringContaining('secret_missing') });
});
