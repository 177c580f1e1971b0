import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { compose } from './compose.js';
import type { Overrides } from './overrides.js';
import { readSettings } from './settings/settings.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'healthd-compose-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

interface StartOptions {
  overrides?: Overrides;
  env?: NodeJS.ProcessEnv;
  onWarning?: (line: Record<string, unknown>) => void;
}

function start({ overrides = {}, env = {}, onWarning = () => undefined }: StartOptions = {}) {
  return compose({
    settings: readSettings({
      DATABASE_URL: database.url,
      SECRET_KEY: 's'.repeat(32),
      SIGNING_KEY: 's'.repeat(32),
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      DATA_DIR: folder,
      PORT: '0',
      METRICS_PORT: '0',
      ...env,
    }),
    keys: {
      secretKey: 's'.repeat(32),
      encryptionKeys: [new Uint8Array(32).fill(1)],
      signingKey: new Uint8Array(32).fill(7),
    },
    database: { url: database.url, embedded: undefined, close: async () => undefined },
    role: 'api',
    log: pino({ level: 'warn' }, { write: (line: string) => onWarning(JSON.parse(line)) }),
    overrides,
  });
}

test.each([
  ['http://health.example.com', null],
  ['https://health.example.com', 'max-age=31536000'],
])('tells browsers to use only https if %s is the public URL', async (apiBaseUrl, header) => {
  const service = await start({ env: { API_BASE_URL: apiBaseUrl } });
  const { headers } = await fetch(`http://127.0.0.1:${service.port}/health/live`);
  expect(headers.get('strict-transport-security')).toBe(header);
  await service.stop();
});

test('creates the first account on a start after a failed start', async () => {
  const broken = () => {
    throw new Error('no such page');
  };
  await expect(start({ overrides: { mount: broken } })).rejects.toThrow('no such page');
  const service = await start();
  expect(service.firstAccount).toBeDefined();
  await service.stop();
});

test.each([
  [{ RECOVERY_SELECTION: 'strict' }, ['RECOVERY_SELECTION']],
  [{}, []],
])('warns once about each ignored setting in %j', async (env, ignored) => {
  const warned: unknown[] = [];
  const onWarning = ({ event, setting }: Record<string, unknown>) => {
    if (event === 'setting_ignored') warned.push(setting);
  };
  const service = await start({ env, onWarning });
  await service.stop();
  expect(warned).toEqual(ignored);
});
