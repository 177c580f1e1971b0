import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './cli-world.js';
import { homeBehindProxy } from './home-behind-proxy.js';
import { answerPrompts } from './questions.js';

const LATER_PROVIDER = { provider: 'of_a_later_version', priority: 80 };

let world: World;
/** Methods and paths of all requests. */
let requests: string[];
/** Body of the request that sets the providers' priorities. */
let sent: { priorities: object[] } | undefined;
/** The only profile in use: a copied profile would lose its login when the original renews it. */
let proxied: Awaited<ReturnType<typeof homeBehindProxy>>;
/** Simulates a service with too many users to count, and a later version with one more provider. */
beforeAll(async () => {
  world = await startWorld();
  proxied = await homeBehindProxy(world, async ({ method, path, body }, pass) => {
    requests.push(`${method} ${path}`);
    if (path.endsWith('/preview')) return { status: 503, text: '{"detail":"The database did not answer in time"}' };
    if (!path.startsWith('/api/v1/priorities/providers')) return pass();
    if (method === 'PUT') {
      sent = JSON.parse(body);
      return { status: 200, text: '{"items":[]}' };
    }
    const { status, text } = await pass();
    return { status, text: JSON.stringify({ items: [...JSON.parse(text).items, LATER_PROVIDER] }) };
  });
});
afterAll(async () => {
  proxied?.stop();
  await world?.stop();
});

test('prompts without numbers if counting the affected users takes too long', async () => {
  requests = [];
  const command = ['providers', 'set-priorities', '--devices', 'watch=4'];
  const behind = { folder: world.folder, home: proxied.home };
  const question = 'Type priorities to change them';
  const declined = await answerPrompts(behind, command, [{ question, types: 'no' }]);
  expect(declined).toMatchObject({ code: 1 });
  expect(declined.shown).not.toContain('0 days');
  expect((await answerPrompts(behind, command, [{ question, types: 'priorities' }])).code).toBe(0);
  const { stdout } = await world.healthctl(['providers', 'priorities', '--devices'], proxied);
  expect(JSON.parse(stdout)).toContainEqual({ name: 'watch', priority: 4 });
});

test('keeps the position of a provider that is unknown to healthctl', async () => {
  requests = [];
  const { code, stderr } = await world.healthctl(['providers', 'set-priorities', 'google,apple', '--yes'], proxied);
  expect(code, stderr).toBe(0);
  expect(sent?.priorities.slice(0, 2)).toEqual([
    { provider: 'google', priority: 1 },
    { provider: 'apple', priority: 2 },
  ]);
  expect(sent?.priorities.at(-1)).toEqual({ provider: LATER_PROVIDER.provider, priority: expect.any(Number) });
});

test('rejects a misspelled name before any request', async () => {
  for (const wrong of [['google,aple'], ['aple=1'], ['--devices', 'watch,fone'], ['--devices', 'fone=2']]) {
    requests = [];
    const { code, stderr } = await world.healthctl(['providers', 'set-priorities', ...wrong, '--yes'], proxied);
    expect([code, requests], stderr).toEqual([2, []]);
  }
});

test('previews either the upgrade or new priorities, never both', async () => {
  requests = [];
  const { stdout } = await world.healthctl(['priorities', 'preview', '--upgrade', '--json'], proxied);
  expect(JSON.parse(stdout)).toMatchObject({ upgraded_at: null, days_changed: 0, nights_changed: 0, reasons: [] });
  for (const wrong of [[], ['--upgrade', 'google=1']]) {
    const { code, stderr } = await world.healthctl(['priorities', 'preview', ...wrong], proxied);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--upgrade')]);
  }
});
