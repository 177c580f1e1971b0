import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { listUsers } from '@healthd/contract';
import { expect, it } from 'vitest';
import { newHome, postgresPid, runHealthd, startDaemon } from '../support/daemon.js';
import { newUser } from './imports.js';

it('exits with 78 until ENCRYPTION_KEY is correct', async () => {
  const home = newHome();
  const first = await startDaemon({ home });
  const user = await newUser(first);
  await first.stop();

  const other = await runHealthd(home, [], { ENCRYPTION_KEY: 'A'.repeat(43) });
  expect(other).toMatchObject({ code: 78, stdout: '' });
  expect(other.stderr).toMatch(/^healthd: ENCRYPTION_KEY cannot decrypt the secrets in this database \(/m);
  expect(postgresPid(home)).toBeUndefined();

  const file = join(home.dataDir, 'keys.env');
  await rename(file, `${file}.away`);
  for (const args of [[], ['backup', join(home.folder, 'all.healthd')]]) {
    const lost = await runHealthd(home, args);
    expect(lost).toMatchObject({ code: 78, stdout: '' });
    expect(lost.stderr).toMatch(/healthd: \S+keys\.env is missing, .* encrypted with its ENCRYPTION_KEY/);
    expect(existsSync(file)).toBe(false);
  }

  await rename(`${file}.away`, file);
  const again = await startDaemon({ home });
  expect((await again.client.call(listUsers, {})).items.map(({ id }) => id)).toEqual([user]);
  await again.stop();
});

it('starts with a new key after discarding sealed secrets', async () => {
  const home = newHome();
  const first = await startDaemon({ home });
  const user = await newUser(first);
  await first.stop();
  const file = join(home.dataDir, 'keys.env');
  await rename(file, `${file}.away`);

  const discarded = await runHealthd(home, ['admin', 'discard-sealed']);
  expect(discarded).toMatchObject({
    code: 0,
    stdout:
      'Discarded secrets that ENCRYPTION_KEY cannot decrypt: 0 connections, which the users must connect again, and 0 invitations.\n',
  });
  expect(existsSync(file)).toBe(false);
  const again = await startDaemon({ home });
  expect((await again.client.call(listUsers, {})).items.map(({ id }) => id)).toEqual([user]);
  await again.stop();
});
