import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/postgres.js';
import { compose } from './compose.js';
import type { Overrides } from './overrides.js';
import { readSettings } from './settings/settings.js';

test('a start that fails halfway gives back what it had taken, so that the next one shows the first account', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'healthd-compose-'));
  const start = (overrides: Overrides = {}) =>
    compose({
      settings: readSettings({
        DATABASE_URL: database.url,
        SECRET_KEY: 's'.repeat(32),
        SIGNING_KEY: 's'.repeat(32),
        ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
        DATA_DIR: folder,
        PORT: '0',
        METRICS_PORT: '0',
      }),
      keys: {
        secretKey: 's'.repeat(32),
        encryptionKeys: [new Uint8Array(32).fill(1)],
        signingKey: new Uint8Array(32).fill(7),
      },
      database: { url: database.url, embedded: undefined, close: async () => undefined },
      role: 'api',
      log: pino({ level: 'silent' }),
      overrides,
    });
  const broken = () => {
    throw new Error('no such page');
  };
  try {
    await expect(start({ mount: broken })).rejects.toThrow('no such page');
    const service = await start();
    expect(service.firstAccount).toBeDefined();
    await service.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  }
});
