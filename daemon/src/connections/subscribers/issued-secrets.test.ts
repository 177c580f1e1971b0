import { type ProviderConfiguration, providerById, type SubscriberAdapter, VendorError } from '@healthd/providers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { createSequelize } from '../../platform/database/index.js';
import { createVault } from '../../vault/index.js';
import { providerSettingModel } from '../providers/provider-setting-model.js';
import { IssuedSecrets } from './issued-secrets.js';

const ENDPOINT = 'https://health.example.org/webhooks';
const CONFIGURATION: ProviderConfiguration = {
  scope: '',
  addresses: { api: '', authorize: '', token: '' },
  values: {},
};
const vaultOf = (byte: number) => createVault([new Uint8Array(32).fill(byte)]);

let database: TestDatabase;
let sequelize: ReturnType<typeof createSequelize>;
let secrets: IssuedSecrets;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = createSequelize({ url: database.url });
  secrets = new IssuedSecrets(providerSettingModel(sequelize), vaultOf(5));
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('delete from provider_setting');
});

/** Returns a vendor that issues `secret`, unless its registration's secret is already stored. */
function giving(secret: string): SubscriberAdapter {
  const { subscribers } = providerById('oura')?.cloud ?? {};
  if (!subscribers) throw new Error('the provider manages no subscribers');
  return {
    ...subscribers,
    ensure: async (_configuration, _endpoint, { secretOf } = {}) =>
      secretOf === 'w1' ? [{ id: 'w1', status: 'skipped' }] : [{ id: 'w1', status: 'created', secret }],
  };
}

it("keeps a vendor's sealed secret for later registrations", async () => {
  expect(await secrets.of('oura')).toBeUndefined();
  await secrets.ensure('oura', giving('first secret'), CONFIGURATION, ENDPOINT);
  expect(await secrets.of('oura')).toEqual({ subscriberId: 'w1', secret: 'first secret' });
  const { rows } = await database.pool.query('select given_secret from provider_setting');
  expect(rows[0].given_secret).not.toContain('first secret');
  const again = await secrets.ensure('oura', giving('second secret'), CONFIGURATION, ENDPOINT);
  expect(again).toEqual([{ id: 'w1', status: 'skipped' }]);
  expect(await secrets.of('oura')).toMatchObject({ secret: 'first secret' });
});

it('requests a new secret if the stored secret cannot be decrypted', async () => {
  await secrets.ensure('oura', giving('first secret'), CONFIGURATION, ENDPOINT);
  const withAnotherKey = new IssuedSecrets(providerSettingModel(sequelize), vaultOf(6));
  expect(await withAnotherKey.of('oura')).toBeUndefined();
  await withAnotherKey.ensure('oura', giving('second secret'), CONFIGURATION, ENDPOINT);
  expect(await withAnotherKey.of('oura')).toMatchObject({ secret: 'second secret' });
});

it('keeps the stored secret when a registration is rejected', async () => {
  await secrets.ensure('oura', giving('first secret'), CONFIGURATION, ENDPOINT);
  const refusing = { ...giving(''), ensure: () => Promise.reject(new VendorError({ code: 'conflict' })) };
  await expect(secrets.ensure('oura', refusing, CONFIGURATION, ENDPOINT)).rejects.toMatchObject({ code: 'conflict' });
  expect(await secrets.of('oura')).toMatchObject({ secret: 'first secret' });
});
