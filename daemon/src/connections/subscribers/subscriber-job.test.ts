import { providerById, type SubscriberAdapter, VendorError } from '@healthd/providers';
import { pino } from 'pino';
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

let database: TestDatabase;
let sequelize: ReturnType<typeof createSequelize>;
/** Requests that the vendor received and rejected. */
let requests: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = createSequelize({ url: database.url });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});
beforeEach(async () => {
  requests = [];
  await database.pool.query('delete from provider_setting');
});

function refuse(request: string): Promise<never> {
  requests.push(request);
  return Promise.reject(new VendorError({ code: 'operator', status: 403, reason: 'SERVICE_DISABLED' }));
}

/** Returns the services, with a vendor that rejects subscriber management. */
function withRejectingVendor() {
  const google = providerById('google');
  if (!google?.cloud?.subscribers) throw new Error('the provider manages no subscribers');
  const { addresses, subscribers } = google.cloud;
  const ensure: SubscriberAdapter['ensure'] = (_configuration, _endpoint, { replaces } = {}) =>
    refuse(replaces === undefined ? 'ensure' : `ensure in place of ${replaces}`);
  const cloud = { ...google.cloud, subscribers: { ...subscribers, ensure, removeOwn: () => refuse('remove') } };
  const configuration = {
    clientId: 'client',
    clientSecret: 'client secret',
    scope: '',
    addresses,
    webhookSecret: 'a webhook secret of the test',
    values: { PROJECT_ID: '4711', SUBSCRIBER_ID: 'healthd', SERVICE_ACCOUNT_FILE: 'key.json' },
  };
  const configurationOf = (): ConfiguredCloud => ({ cloud, configuration });
  const uses = new ProviderSettings({
    settings: providerSettingModel(sequelize),
    providers: [{ ...google, cloud }],
    defaultGranularity: 'raw',
    configurationOf,
  });
  const registrationOf = createRegistrations({
    configurationOf,
    webhookAddress: (provider) => `https://health.example.org/${provider}/webhooks`,
    digestKey: new Uint8Array(32).fill(3),
  });
  const issuedSecrets = new IssuedSecrets(providerSettingModel(sequelize), createVault([new Uint8Array(32).fill(5)]));
  const job = subscriberJob({ uses, configurationOf, registrationOf, givenSecrets: issuedSecrets });
  const run = () =>
    job.run(
      { provider: 'google' },
      {
        signal: new AbortController().signal,
        attempt: 1,
        touch: async () => undefined,
        again: async () => true,
        log: pino({ level: 'silent' }),
      },
    );
  return { uses, run, registration: registrationOf('google') };
}

test('does not retry a rejected registration in a duplicate job', async () => {
  const { uses, run } = withRejectingVendor();
  await uses.change('google', { liveSyncMode: 'webhook' });
  await uses.setSubscriberState('google', 'registering');
  await run();
  expect((await uses.of('google')).subscriberState).toBe('failed');
  await run();
  expect(requests).toEqual(['ensure']);
});

test('replaces the earlier registration after a URL change', async () => {
  const { uses, run, registration } = withRejectingVendor();
  if (!registration) throw new Error('there is nothing to register');
  const endpoint = 'https://old.example.org/webhooks';
  await uses.change('google', { liveSyncMode: 'webhook' });
  await uses.setSubscriberState('google', 'active', { registration: { ...registration, endpoint } });
  await uses.markOutdated('google', registration);
  await run();
  expect(requests).toEqual([`ensure in place of ${endpoint}`]);
});

test('retries a rejected removal in the next job', async () => {
  const { uses, run } = withRejectingVendor();
  await uses.change('google', { liveSyncMode: 'pull' });
  await uses.setSubscriberState('google', 'active');
  await run();
  await run();
  expect(requests).toEqual(['remove', 'remove']);
});
