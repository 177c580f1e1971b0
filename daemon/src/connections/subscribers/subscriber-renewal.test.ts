import type { ProviderId } from '@healthd/model';
import { PROVIDERS, type ProviderConfiguration, providerById } from '@healthd/providers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { createSequelize } from '../../platform/database/index.js';
import { createVault } from '../../vault/index.js';
import type { ConfiguredCloud } from '../connections.js';
import { providerSettingModel } from '../providers/provider-setting-model.js';
import { ProviderSettings } from '../providers/provider-settings.js';
import { IssuedSecrets } from './issued-secrets.js';
import { subscriberJob } from './subscriber-job.js';
import { createRegistrations } from './subscriber-registration.js';
import { renewSubscribers } from './subscriber-renewal.js';

const SECRET = 'a webhook secret of the test';

let database: TestDatabase;
let sequelize: ReturnType<typeof createSequelize>;
let enqueued: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = createSequelize({ url: database.url });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});
beforeEach(async () => {
  enqueued = [];
  await database.pool.query('delete from provider_setting');
});

interface Operator {
  base?: string;
  secret?: string;
  values?: ProviderConfiguration['values'];
  isConfigured?: boolean;
}

/** Returns a service process with an operator's settings. */
function processOf({ base = 'https://health.example.org', secret = SECRET, values, isConfigured = true }: Operator) {
  const cloud = providerById('google')?.cloud;
  if (!cloud) throw new Error('the provider has no cloud');
  const configuration: ProviderConfiguration = {
    clientId: 'client',
    clientSecret: 'client secret',
    scope: '',
    addresses: cloud.addresses,
    webhookSecret: secret,
    values: { PROJECT_ID: '4711', SUBSCRIBER_ID: 'healthd', ...values },
  };
  const configurationOf = (provider: ProviderId): ConfiguredCloud | undefined =>
    isConfigured && provider === 'google' ? { cloud, configuration } : undefined;
  const webhookAddress = (provider: ProviderId) => `${base}/${provider}/webhooks`;
  const registrationOf = createRegistrations({
    configurationOf,
    webhookAddress,
    digestKey: new Uint8Array(32).fill(3),
  });
  const uses = new ProviderSettings({
    settings: providerSettingModel(sequelize),
    providers: PROVIDERS,
    defaultGranularity: 'raw',
    configurationOf,
  });
  return {
    registered: registrationOf('google'),
    renew: () =>
      renewSubscribers({
        uses,
        configurationOf,
        registrationOf,
        log: { warn: () => undefined },
        subscriptions: { tryEnqueue: async ({ provider }) => enqueued.push(provider) > 0 },
      }),
  };
}

/** Stores the provider state that a finished job leaves. */
async function settled(state: string, by: Operator = {}, mode = 'webhook'): Promise<void> {
  await database.pool.query(
    `insert into provider_setting (provider, live_sync_mode, subscriber_state, subscriber_registration, first_notified_at)
     values ('google', $1, $2, $3, now())`,
    [mode, state, JSON.stringify(processOf(by).registered)],
  );
}

async function stateNow() {
  const { rows } = await database.pool.query(
    'select subscriber_state as state, first_notified_at is not null as reported from provider_setting',
  );
  return rows[0];
}

test.each(['active', 'failed'])('registers a %s subscriber again after a settings change', async (state) => {
  await settled(state);
  await processOf({ secret: 'another webhook secret' }).renew();
  // The subscriber counts as never notified until the vendor sends another notification.
  expect(await stateNow()).toEqual({ state: 'registering', reported: false });
  expect(enqueued).toEqual(['google']);
});

test.each<[string, Operator]>([
  ['address', { base: 'https://other.example.org' }],
  ['secret', { secret: 'another webhook secret' }],
  ['id', { values: { SUBSCRIBER_ID: 'healthd-two' } }],
  ['project', { values: { PROJECT_ID: '4712' } }],
])('registers the subscriber again if its %s changes', async (_name, operator) => {
  await settled('active');
  await processOf(operator).renew();
  expect(enqueued).toHaveLength(1);
});

test('keeps an active subscriber if the settings are unchanged', async () => {
  await settled('active');
  await processOf({}).renew();
  expect([await stateNow(), enqueued]).toEqual([{ state: 'active', reported: true }, []]);
});

test('enqueues one registration if several processes start together', async () => {
  await settled('active');
  await Promise.all(Array.from({ length: 4 }, () => processOf({ secret: 'another webhook secret' }).renew()));
  expect(enqueued).toHaveLength(1);
});

test.each([
  ['registered manually', 'unmanaged', 'webhook'],
  ['being registered', 'registering', 'webhook'],
  ['still registered after a failed removal', 'failed', 'pull'],
])('keeps the state of a subscriber that is %s', async (_what, state, mode) => {
  await settled(state, {}, mode);
  await processOf({ secret: 'another webhook secret' }).renew();
  expect([(await stateNow()).state, enqueued]).toEqual([state, []]);
});

test('ignores a provider without credentials', async () => {
  await settled('active');
  await processOf({ isConfigured: false }).renew();
  expect([(await stateNow()).state, enqueued]).toEqual(['active', []]);
});

test('registers a keyed fingerprint instead of the secret', () => {
  const kept = JSON.stringify(processOf({}).registered);
  expect(kept).not.toContain(SECRET);
  const { cloud } = providerById('google') ?? {};
  if (!cloud) throw new Error('the provider has no cloud');
  const configuration = {
    scope: '',
    addresses: cloud.addresses,
    webhookSecret: SECRET,
    values: { PROJECT_ID: '4711' },
  };
  const digestBy = (byte: number) =>
    createRegistrations({
      configurationOf: () => ({ cloud, configuration }),
      webhookAddress: () => 'https://health.example.org',
      digestKey: new Uint8Array(32).fill(byte),
    })('google')?.secretDigest;
  expect(digestBy(1)).not.toBe(digestBy(2));
});

/** Returns a process whose provider has expiring subscriptions, with a list of its checks. */
async function withExpiringSubscriptions(state: string, response: () => Promise<readonly []>) {
  const google = providerById('google');
  if (!google?.cloud?.subscribers) throw new Error('the provider manages no subscribers');
  const looked: string[] = [];
  const subscribers = {
    ...google.cloud.subscribers,
    renew: async () => [],
    ensure: (_configuration: ProviderConfiguration, endpoint: string) => {
      looked.push(endpoint);
      return response();
    },
  };
  const cloud = { ...google.cloud, subscribers };
  const configuration = {
    scope: '',
    addresses: cloud.addresses,
    webhookSecret: SECRET,
    values: { PROJECT_ID: '4711' },
  };
  const configurationOf = (): ConfiguredCloud => ({ cloud, configuration });
  const registrationOf = createRegistrations({
    configurationOf,
    webhookAddress: () => 'https://health.example.org/webhooks',
    digestKey: new Uint8Array(32).fill(3),
  });
  await database.pool.query(
    `insert into provider_setting (provider, live_sync_mode, subscriber_state, subscriber_registration)
     values ('google', 'webhook', $1, $2)`,
    [state, JSON.stringify(registrationOf('google'))],
  );
  const uses = new ProviderSettings({
    settings: providerSettingModel(sequelize),
    providers: [{ ...google, cloud }],
    defaultGranularity: 'raw',
    configurationOf,
  });
  const warned: unknown[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (entry: unknown) => void warned.push(entry),
    error: () => {},
  };
  const waiting: ProviderId[] = [];
  const subscriptions = {
    tryEnqueue: async ({ provider }: { provider: ProviderId }) => waiting.push(provider) > 0,
  };
  await renewSubscribers({ uses, configurationOf, registrationOf, log, subscriptions });
  const issuedSecrets = new IssuedSecrets(providerSettingModel(sequelize), createVault([new Uint8Array(32).fill(5)]));
  const job = subscriberJob({ uses, configurationOf, registrationOf, givenSecrets: issuedSecrets });
  const { signal } = new AbortController();
  const work = async () => {
    for (const provider of waiting) {
      await job.run({ provider }, { signal, attempt: 1, log, touch: async () => {}, again: async () => true });
    }
  };
  return { looked, warned, work };
}

test('checks expiring subscriptions only in the job', async () => {
  const { looked, work } = await withExpiringSubscriptions('active', async () => []);
  // The search for outdated subscribers, e.g. at startup, does not wait for a vendor.
  expect(looked).toEqual([]);
  await work();
  expect(looked).toEqual(['https://health.example.org/webhooks']);
  expect((await stateNow()).state).toBe('active');
});

test('does not renew subscriptions that the vendor rejected', async () => {
  const { looked, work } = await withExpiringSubscriptions('failed', async () => []);
  await work();
  expect(looked).toEqual([]);
});

test('keeps the provider active after a failed renewal', async () => {
  const { warned, work } = await withExpiringSubscriptions('active', () => Promise.reject(new Error('down')));
  await work();
  expect(warned).toMatchObject([{ event: 'subscriber_renewal_failed', provider: 'google' }]);
  expect((await stateNow()).state).toBe('active');
});
