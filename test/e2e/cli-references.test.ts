import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf, rejectionOf } from './cli-responses.js';
import { startWorld, type World } from './cli-world.js';

let world: World;
let apiKey: string;
beforeAll(async () => {
  world = await startWorld();
  const profile = JSON.parse(await readFile(join(world.home, '.config/healthctl/config.json'), 'utf8'));
  apiKey = profile.contexts.local.api_key;
});
afterAll(() => world.stop());

async function createUser(fields: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${world.url}/api/v1/users`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const json = (...args: string[]) => jsonOf(world, args);
const rejected = (...args: string[]) => rejectionOf(world, args);

test('prefers an exact external ID to a hundred longer matches', async () => {
  const meant = await createUser();
  const stranger = await createUser();
  const short = stranger.slice(0, 4);
  await json('users', 'update', meant, '--external-id', short);
  for (let number = 1; number < 100; number += 1) await createUser({ external_user_id: `${short}-${number}` });
  expect(await json('users', 'show', short, '--json', 'id')).toEqual({ id: meant });
  expect(await json('tokens', 'code', '--user', short)).toMatchObject({ user_id: meant });

  for (const number of [100, 101]) await createUser({ external_user_id: `${short}-${number}` });
  expect(await rejected('users', 'show', `${short}-`)).toMatchObject({ exit: 2, code: 'ambiguous' });
});

test('never deletes a user by ID prefix, only by complete ID', async () => {
  const stranger = await createUser();
  for (const digits of [4, 7]) {
    expect(await rejected('users', 'delete', stranger.slice(0, digits), '--yes')).toMatchObject({
      exit: 1,
      code: 'not_found',
    });
  }
  expect(await rejected('users', 'delete', stranger.slice(0, 8), '--yes')).toMatchObject({
    exit: 2,
    code: 'whole_id_needed',
    hint: expect.stringContaining(stranger),
  });
  expect(await json('users', 'show', stranger, '--json', 'id')).toEqual({ id: stranger });
  await json('users', 'delete', stranger, '--yes');
  expect(await rejected('users', 'show', stranger)).toMatchObject({ exit: 1, code: 'not_found' });
});

test('accepts ID prefixes for reads, and for writes only on a terminal', async () => {
  const user = await createUser({ email: 'grace@clinic.example' });
  const short = user.slice(0, 8);
  expect(await json('users', 'show', short, '--json', 'id')).toEqual({ id: user });
  const shortened = { exit: 2, code: 'whole_id_needed', hint: expect.stringContaining(user) };
  expect(await rejected('tokens', 'code', '--user', short)).toMatchObject(shortened);
  expect(await rejected('users', 'update', short, '--first-name', 'Grace')).toMatchObject(shortened);
  expect(await json('users', 'show', user, '--json', 'first_name')).toEqual({ first_name: null });
  const typed = await world.onTerminal(['tokens', 'code', '--user', short]);
  expect(typed.code, typed.stdout).toBe(0);
});

test('matches an email in any capitalization, but no similar text', async () => {
  const user = await createUser({ email: 'Ada@clinic.example' });
  expect(await json('users', 'show', 'ada@CLINIC.example', '--json', 'id')).toEqual({ id: user });
  expect(await rejected('users', 'show', 'ada@@')).toMatchObject({ exit: 1, code: 'not_found' });
});

test('revokes a key in scripts only by its complete ID', async () => {
  const made = [];
  for (let number = 0; number < 3; number += 1) made.push(await json('keys', 'create', '--name', `Key ${number}`));
  const { id } = made[0];
  expect(await rejected('keys', 'revoke', id.slice(0, 1), '--yes')).toMatchObject({
    exit: 2,
    code: 'id_too_short',
    hint: expect.stringContaining(id),
  });
  expect(await rejected('keys', 'revoke', id.slice(0, 9), '--yes')).toMatchObject({ exit: 2, code: 'whole_id_needed' });
  expect(await rejected('keys', 'rename', id.slice(0, 9), 'Other')).toMatchObject({ exit: 2, code: 'whole_id_needed' });
  expect(await json('keys', 'list')).toEqual(expect.arrayContaining([expect.objectContaining({ id, name: 'Key 0' })]));
  expect(await json('keys', 'revoke', id, '--yes')).toMatchObject({ id });
});

test('rejects removing invitations or applications by ID prefix in scripts', async () => {
  const invitation = await json('invitations', 'create', 'ben@clinic.example');
  const app = await json('apps', 'create', 'Diary');
  const needed = { exit: 2, code: 'whole_id_needed' };
  expect(await rejected('invitations', 'revoke', invitation.id.slice(0, 9))).toMatchObject(needed);
  expect(await rejected('apps', 'delete', app.app_id.slice(0, -1), '--yes')).toMatchObject(needed);
  expect(await json('invitations', 'revoke', 'ben@clinic.example')).toMatchObject({ id: invitation.id });
  expect(await world.healthctl(['apps', 'delete', 'Diary', '--yes'])).toMatchObject({ code: 0 });
});
