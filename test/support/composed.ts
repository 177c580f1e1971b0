import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComposeOptions, compose, composeParts, Disposers } from '@healthd/daemon/compose';
import { readSettings, type Settings } from '@healthd/daemon/settings';
import { PROVIDERS, type Provider, type ProviderConfiguration } from '@healthd/providers';
import { pino } from 'pino';

/** Keys of every service that tests compose. */
export const TEST_KEYS = {
  secretKey: 's'.repeat(32),
  encryptionKeys: [new Uint8Array(32).fill(8)],
  signingKey: new Uint8Array(32).fill(7),
} as const satisfies ComposeOptions['keys'];

export const ADMIN = { adminEmail: 'ada@clinic.example', adminPassword: 'correct horse battery' };

/** Intervals of a queue for tests that wait for its jobs and kill its processes. */
export const SHORT_TIMING = { lockMs: 2000, pollMs: 200, sweepMs: 200 };

export type Overrides = NonNullable<ComposeOptions['overrides']>;

export interface ComposedOptions {
  databaseUrl: string;
  /** Settings by environment variable. Settings by name override them. */
  env?: Record<string, string>;
  settings?: Partial<Settings>;
  overrides?: Overrides;
  /** Jobs run only with `all` and `worker`. */
  role?: ComposeOptions['role'];
  log?: ComposeOptions['log'];
}

/** Accepts every caller as a key with all permissions, for tests of handlers. */
export const openGate: Overrides['authenticate'] = async () => ({
  kind: 'api_key',
  keyId: 'test',
  scopes: undefined,
});

/** Returns settings and overrides that replace a provider with a test's provider. */
export function withProvider(
  provider: Provider,
  configuration: ProviderConfiguration,
): Required<Pick<ComposedOptions, 'settings' | 'overrides'>> {
  return {
    settings: { providers: { [provider.id]: configuration } },
    overrides: { providers: [provider, ...PROVIDERS.filter(({ id }) => id !== provider.id)] },
  };
}

/** Opens the parts of the service as the program composes them. Runs no jobs and serves no requests. */
export async function openParts(given: ComposedOptions) {
  const { options, removeFolder } = await inFolder(given);
  const started = new Disposers();
  const parts = await composeParts(options, started);
  return {
    parts,
    async close() {
      await started.dispose();
      await removeFolder();
    },
  };
}

/** Starts the service as the program does, on a free port with a separate folder. */
export async function startComposed(given: ComposedOptions) {
  const { options, removeFolder } = await inFolder(given);
  const service = await compose(options);
  await service.firstAccount?.shown();
  return {
    ...service,
    settings: options.settings,
    url: `http://127.0.0.1:${service.port}`,
    async stop() {
      await service.stop();
      await removeFolder();
    },
  };
}

async function inFolder({ databaseUrl, env, settings, overrides, role = 'api', log }: ComposedOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-composed-'));
  const read = readSettings({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: TEST_KEYS.secretKey,
    SIGNING_KEY: TEST_KEYS.secretKey,
    ENCRYPTION_KEY: Buffer.from(TEST_KEYS.encryptionKeys[0]).toString('base64'),
    DATA_DIR: folder,
    PORT: '0',
    METRICS_PORT: '0',
    ADMIN_EMAIL: ADMIN.adminEmail,
    ADMIN_PASSWORD: ADMIN.adminPassword,
    ...env,
  });
  const options: ComposeOptions = {
    settings: { ...read, ...settings },
    keys: TEST_KEYS,
    database: { url: databaseUrl, embedded: undefined, close: async () => undefined },
    role,
    log: log ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
    ...(overrides && { overrides }),
  };
  return { options, removeFolder: () => rm(folder, { recursive: true, force: true }) };
}
