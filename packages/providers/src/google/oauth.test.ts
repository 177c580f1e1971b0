import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GOOGLE_OAUTH } from './oauth.js';
import { consent } from './pull/testing/consent.js';
import { SCOPES } from './scopes.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());

it('identifies an account by its notification ID, with its email', async () => {
  const account = await simulator.control.addAccount({ id: 'anna' });
  const { api } = await consent(simulator, 'anna');
  expect(await GOOGLE_OAUTH.identify(api)).toEqual({ userId: account.healthUserId, username: account.email });
});

it('identifies an account without the email scope', async () => {
  const account = await simulator.control.addAccount({ id: 'ben' });
  const { api } = await consent(simulator, 'ben', SCOPES.sleep);
  expect(await GOOGLE_OAUTH.identify(api)).toEqual({ userId: account.healthUserId, username: undefined });
});

it('reports an account without a health profile', async () => {
  await simulator.control.addAccount({ id: 'cleo', state: 'not_linked' });
  const { api } = await consent(simulator, 'cleo');
  await expect(GOOGLE_OAUTH.identify(api)).rejects.toMatchObject({ code: 'account_not_linked' });
});
