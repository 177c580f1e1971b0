import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleHealthctl } from '../../scripts/bundle-healthctl.mjs';
import { vendorSettings } from '../support/simulated-vendor.js';
import { jsonOf, rejectionOf } from './cli-responses.js';
import { ADMIN, startWorld, type World } from './cli-world.js';
import { answerPrompts } from './questions.js';

let vendor: GoogleSimulator;
let world: World;
let user: string;
beforeAll(async () => {
  vendor = await startGoogleSimulator();
  world = await startWorld(vendorSettings(vendor));
  user = (await json('users', 'create')).id;
});
afterAll(async () => {
  await world?.stop();
  await vendor?.close();
});

const json = (...args: string[]) => jsonOf(world, args);
const rejected = (...args: string[]) => rejectionOf(world, args);

test('manages an API key from creation to revocation', async () => {
  const created = await json('keys', 'create', '--name', 'Backend', '--scopes', 'read,write');
  expect(created).toMatchObject({ name: 'Backend', scopes: ['read', 'write'], key: expect.stringMatching(/^sk-/) });
  const asKey = (key: string) =>
    world.healthctl(['users', 'list', '--url', world.url], { env: { HEALTHCTL_TOKEN: key } });
  expect((await asKey(created.key)).code).toBe(0);
  expect(await json('keys', 'rename', 'Backend', 'Gateway')).toMatchObject({ id: created.id, name: 'Gateway' });
  const rotation = await world.healthctl(['keys', 'rotate', 'gateway', '--grace', '1h']);
  expect(rotation.stderr).toMatch(/The old key works until \d/);
  const rotated = JSON.parse(rotation.stdout);
  expect((await asKey(created.key)).code).toBe(0);
  expect((await asKey(rotated.key)).code).toBe(0);
  expect(await json('keys', 'list')).toContainEqual(
    expect.objectContaining({ id: created.id, replaced_by: rotated.id }),
  );
  expect(await rejected('keys', 'revoke', rotated.id)).toMatchObject({ exit: 2, code: 'input_needed' });
  await json('keys', 'revoke', rotated.id, '--yes');
  expect((await asKey(rotated.key)).code).toBe(4);
  expect(JSON.stringify(await json('keys', 'list'))).not.toContain(created.key);
  expect(await rejected('keys', 'create', '--scopes', 'all')).toMatchObject({ exit: 2, code: 'usage' });
});

test('shows and updates developers', async () => {
  const [me] = await json('developers', 'list');
  expect(await json('developers', 'show')).toEqual(me);
  expect(await json('developers', 'show', ADMIN.email)).toEqual(me);
  expect(await json('developers', 'update', '--first-name', 'Ada')).toMatchObject({ first_name: 'Ada' });
});

test('manages an invitation from creation to revocation', async () => {
  const invitation = await json('invitations', 'create', 'grace@clinic.example');
  const again = await json('invitations', 'resend', 'grace@clinic.example');
  expect(again.token).not.toBe(invitation.token);
  await json('invitations', 'revoke', again.id);
  const left = await json('invitations', 'list');
  expect(left.filter(({ status }: { status: string }) => status === 'pending')).toEqual([]);
});

test('switches providers off and on', async () => {
  expect(await json('providers', 'show', 'google')).toMatchObject({ provider: 'google', is_configured: true });
  expect(await json('providers', 'disable', 'google', 'apple')).toMatchObject([
    { is_enabled: false },
    { is_enabled: false },
  ]);
  await json('providers', 'enable', 'google', 'apple');
  expect(await json('providers', 'show', 'google')).toMatchObject({ is_enabled: true });
});

test('ranks providers and device types', async () => {
  expect((await json('providers', 'priorities')).length).toBeGreaterThan(2);
  const ranked = await json('providers', 'set-priorities', 'google=7', '--yes');
  expect(ranked).toContainEqual({ name: 'google', priority: 7 });
  expect(await json('providers', 'set-priorities', '--devices', 'watch=3', '--yes')).toContainEqual({
    name: 'watch',
    priority: 3,
  });
  expect(await rejected('providers', 'set-priorities', 'google=first')).toMatchObject({
    exit: 2,
    code: 'priority_invalid',
  });
});

test('ranks listed providers first without reordering the other providers', async () => {
  const before = names(await json('providers', 'priorities')).filter((name) => !['google', 'apple'].includes(name));
  const ordered = await json('providers', 'set-priorities', 'google,apple', '--yes');
  expect(ordered.slice(0, 2)).toEqual([
    { name: 'google', priority: 1 },
    { name: 'apple', priority: 2 },
  ]);
  expect(names(ordered).slice(2)).toEqual(before);
  expect(ordered[2].priority).toBe(3);
});

test('confirms a priority change after showing its effect', async () => {
  const before = await json('providers', 'priorities');
  for (const what of [['garmin=1'], ['--devices', 'phone,watch']])
    expect(await rejected('providers', 'set-priorities', ...what)).toMatchObject({ exit: 2, code: 'input_needed' });
  const question = 'Type priorities to change them';
  const command = ['providers', 'set-priorities', 'garmin=1'];
  const declined = await answerPrompts(world, command, [{ question, types: 'no' }]);
  expect(declined).toMatchObject({
    code: 1,
    shown: expect.stringContaining('0 days, 0 nights, 0 recovery dates and 0 body summaries of 0 users'),
  });
  expect(await json('providers', 'priorities')).toEqual(before);
  expect((await answerPrompts(world, command, [{ question, types: 'priorities' }])).code).toBe(0);
  expect(await json('providers', 'priorities')).toContainEqual({ name: 'garmin', priority: 1 });
});

const names = (ranks: { name: string }[]) => ranks.map(({ name }) => name);

test('rejects subscriber commands for unmanageable and unknown providers', async () => {
  expect(await rejected('subscribers', 'renew', 'google')).toMatchObject({ exit: 1, request_id: expect.any(String) });
  expect(await rejected('subscribers', 'list', 'nowhere')).toMatchObject({ exit: 2, code: 'unknown_provider' });
});

test('manages contexts', async () => {
  await json('context', 'add', 'clinic', 'https://clinic.example.org/');
  expect(await rejected('context', 'add', 'clinic', 'https://other.example.org')).toMatchObject({
    code: 'context_exists',
  });
  await json('context', 'use', 'clinic');
  const listed = await json('context', 'list');
  expect(listed).toContainEqual(
    expect.objectContaining({ name: 'clinic', url: 'https://clinic.example.org', current: true }),
  );
  expect(JSON.stringify(listed)).not.toMatch(/sk-|rt-/);
  await json('context', 'use', 'local');
  await json('context', 'remove', 'clinic');
});

test('shows the origin of each setting', async () => {
  const config = await json('config', '--show-origin', '--url', world.url);
  expect(config).toContainEqual({ name: 'url', value: world.url, origin: '--url' });
  expect(config.find(({ name }: { name: string }) => name === 'api_key').origin).toContain('config.json');
  expect(await json('open', 'user', user.slice(0, 8))).toEqual({ url: `${world.url}/users/${user}` });
});

test('serves a standalone healthctl that warns when outdated', async () => {
  const response = await fetch(`${world.url}/healthctl.mjs`);
  expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
  const file = join(world.folder, 'alone/healthctl.mjs');
  await mkdir(join(world.folder, 'alone'));
  await writeFile(file, await response.text());
  const alone = (program: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], {
      cwd: join(world.folder, 'alone'),
      env: { PATH: process.env.PATH, HOME: world.home },
    });
  const who = await alone(file, 'whoami');
  expect(JSON.parse(who.stdout)).toMatchObject({ url: world.url, accepted: true });
  expect(who.stderr).toBe('');

  const old = await bundleHealthctl({ version: '0.0.9', file: join(world.folder, 'alone/old.mjs') });
  const { stdout, stderr } = await alone(old, 'users', 'list', '--limit', '1');
  expect(JSON.parse(stdout)).toHaveLength(1);
  expect(stderr).toContain(`curl -o healthctl.mjs ${world.url}/healthctl.mjs`);
});
