import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stepsExport } from '../api/import-xml.js';
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

test('settings archival changes only the named retention', async () => {
  expect((await settings('show')).body.settings).toEqual({ archive_after_days: null, delete_after_days: null });
  expect((await settings('set', '--archive-after', '90')).body.settings.archive_after_days).toBe(90);
  const both = await settings('set', '--delete-after', '365', '--yes');
  expect(both.body.settings).toEqual({ archive_after_days: 90, delete_after_days: 365 });
  const off = await settings('set', '--archive-after', 'off', '--delete-after', '400');
  expect(off.body.settings).toEqual({ archive_after_days: null, delete_after_days: 400 });
  expect((await settings('run')).body).toMatchObject({ status: 'dispatched' });
});

test('settings archival archives the previewed samples only with --yes', async () => {
  await settings('set', '--archive-after', 'off', '--delete-after', 'off');
  const user = JSON.parse((await world.healthctl(['users', 'create', '--first-name', 'Old'])).stdout);
  const file = join(world.folder, 'old.xml');
  await writeFile(file, stepsExport(20));
  expect((await world.healthctl(['import', file, '--user', user.id])).code).toBe(0);

  const nothing = { before: null, users: 0, days: 0, samples: 0 };
  const planned = await settings('set', '--archive-after', '30', '--dry-run');
  expect(planned.body).toEqual({
    archive: { before: expect.stringMatching(/^\d{4}-/), users: 1, days: 1, samples: 20 },
    delete: nothing,
  });
  const deletion = await settings('set', '--archive-after', '30', '--delete-after', '60', '--dry-run');
  expect(deletion.body).toMatchObject({ archive: { samples: 0 }, delete: { users: 1, days: 1, samples: 20 } });
  expect((await settings('show')).body.settings).toEqual({ archive_after_days: null, delete_after_days: null });

  expect(await settings('set', '--archive-after', '30')).toMatchObject({ code: 2, body: { code: 'input_needed' } });
  expect((await settings('show')).body.settings.archive_after_days).toBeNull();
  expect((await settings('set', '--archive-after', '30', '--yes')).code).toBe(0);
  const series = [
    'data',
    'timeseries',
    '--types',
    'steps',
    '--user',
    user.id,
    '--from',
    '2026-01-01',
    '--to',
    '2026-02-01',
  ];
  await expect
    .poll(async () => (await world.healthctl(series)).stderr, { interval: 500 })
    .toMatch(/Samples before \d{4}-\d\d-\d\d are archived/);
  expect(JSON.parse((await world.healthctl(series)).stdout)).toEqual([]);
  expect((await settings('run', '--dry-run')).body.archive.samples).toBe(0);
  // The run cannot remove anything, so the command does not prompt.
  expect((await settings('run')).code).toBe(0);
  await settings('set', '--archive-after', 'off', '--delete-after', '400', '--yes');
});

test('settings archival requires confirmation before shortening the time until deletion', async () => {
  const output = await settings('set', '--delete-after', '30');
  expect(output).toMatchObject({ code: 2, body: { code: 'input_needed' } });
  expect((await settings('show')).body.settings.delete_after_days).toBe(400);
});

test('settings archival warns of ineffective settings', async () => {
  const warned = await settings('set', '--archive-after', '500');
  expect(warned.stderr).toMatch(/Warning: .*no effect/);
});

test('settings archival rejects missing or invalid settings', async () => {
  expect((await settings('set')).code).toBe(2);
  expect((await settings('set', '--archive-after', 'soon')).code).toBe(2);
});
