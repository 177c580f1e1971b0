import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { barrierFor } from './account.js';

it('finds the folder that blocks another account', async () => {
  const home = await mkdtemp(join(tmpdir(), 'healthd-home-'));
  const inner = join(home, 'checkout', 'bin');
  await mkdir(inner, { recursive: true });
  const stranger = { uid: 4_000_000, gid: 4_000_000 };
  await chmod(home, 0o700);
  expect(await barrierFor(stranger, inner)).toBe(home);
  await chmod(home, 0o711);
  expect(await barrierFor(stranger, inner)).toBeUndefined();
  await rm(home, { recursive: true });
});
