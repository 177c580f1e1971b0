import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './cli-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const settings = async (...args: string[]) => {
  const { code, stdout, stderr } = await world.healthctl(['settings', 'archival', ...args]);
  return { code, stderr, body: code === 0 ? JSON.parse(stdout) : JSON.parse(stderr) };
};

test('settings archival shows and sets how long samples are kept; what is not named stays', async () => {
  expect((await settings('show')).body.settings).toEqual({ archive_after_days: null, delete_after_days: null });
  expect((await settings('set', '--archive-after', '90')).body.settings.archive_after_days).toBe(90);
  const both = await settings('set', '--delete-after', '365', '--yes');
  expect(both.body.settings).toEqual({ archive_after_days: 90, delete_after_days: 365 });
  const off = await settings('set', '--archive-after', 'off', '--delete-after', '400');
  expect(off.body.settings).toEqual({ archive_after_days: null, delete_after_days: 400 });
  expect((await settings('run')).body).toMatchObject({ status: 'dispatched' });
});

test('settings archival deletes sooner only after somebody agreed, and warns of what has no effect', async () => {
  const asked = await settings('set', '--delete-after', '30');
  expect(asked).toMatchObject({ code: 2, body: { code: 'input_needed' } });
  expect((await settings('show')).body.settings.delete_after_days).toBe(400);
  const warned = await settings('set', '--archive-after', '500');
  expect(warned.stderr).toMatch(/Warning: .*no effect/);
  expect((await settings('set')).code).toBe(2);
  expect((await settings('set', '--archive-after', 'soon')).code).toBe(2);
});
