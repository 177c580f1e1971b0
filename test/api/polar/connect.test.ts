import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

let fixture: VendorFixture<PolarSimulator>;
beforeEach(async () => {
  fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
  await fixture.control.addAccount({ id: 'ada', userId: '60417735', timeZone: 'UTC' });
  await fixture.control.addAccount({ id: 'ben', userId: '60417736', timeZone: 'UTC' });
});
afterEach(() => fixture.close());

const disconnect = ({ userId }: ConnectedUser) => fixture.call('DELETE', `/api/v1/users/${userId}/connections/polar`);
const usersCalls = async () =>
  (await fixture.control.requests('/v3/users')).map(({ method, path, status }) => `${method} ${path} ${status}`);

/** Waits until the delayed work is due, then runs it. */
async function later(): Promise<void> {
  await fixture.wait(300);
  await fixture.reading.settle();
}

/** Returns the registrations and deregistrations that Polar received, without the reads after a consent. */
async function registrations(): Promise<string[]> {
  return (await usersCalls()).filter((call) => / \/v3\/users(\/\d+)? /.test(call));
}

it('registers a user from consent to disconnect', async () => {
  const ada = await fixture.connect('ada');
  expect(await registrations()).toEqual(['POST /v3/users 200']);
  expect((await disconnect(ada)).status).toBe(204);
  expect(await registrations()).toEqual(['POST /v3/users 200', 'DELETE /v3/users/60417735 204']);
  expect(await fixture.control.grantedScopes('ada')).toEqual([]);
});

it('connects a user who is already registered, even by another program', async () => {
  await fixture.control.setMember('ada', 'the name of another program');
  const ada = await fixture.connect('ada');
  expect(await registrations()).toEqual(['POST /v3/users 409', 'GET /v3/users/60417735 200']);
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
});

it('connects another account although the former registration could not be deleted', async () => {
  const first = await fixture.connect('ada');
  await fixture.control.addFault({ kind: 'error', status: 503, path: '/v3/users/60417735', times: null });
  await disconnect(first);
  const second = await fixture.connect('ben', first.userId);
  const { rows } = await fixture.pool.query('select provider_user_id, status from connection where id = $1', [
    second.connectionId,
  ]);
  expect(rows).toEqual([{ provider_user_id: '60417736', status: 'active' }]);
});

it('removes the former registration after a consent with another account', async () => {
  const first = await fixture.connect('ada');
  await fixture.connect('ben', first.userId);
  expect((await registrations()).filter((call) => call.startsWith('DELETE'))).toEqual([
    'DELETE /v3/users/60417735 204',
  ]);
  expect(await fixture.control.grantedScopes('ada')).toEqual([]);
  expect(await fixture.control.grantedScopes('ben')).not.toEqual([]);
});

it('keeps the former registration for another connected user', async () => {
  const first = await fixture.connect('ada');
  await fixture.connect('ada');
  await fixture.connect('ben', first.userId);
  expect((await registrations()).filter((call) => call.startsWith('DELETE'))).toEqual([]);
});

it('keeps the registration after a second consent with the same account', async () => {
  const first = await fixture.connect('ada');
  await fixture.connect('ada', first.userId);
  expect((await registrations()).filter((call) => call.startsWith('DELETE'))).toEqual([]);
});

it('keeps a registration while another user is connected', async () => {
  const first = await fixture.connect('ada');
  const second = await fixture.connect('ada');
  await disconnect(first);
  expect((await registrations()).filter((call) => call.startsWith('DELETE'))).toEqual([]);
  await disconnect(second);
  expect((await registrations()).filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
});

it('explains missing mandatory consents instead of connecting', async () => {
  await fixture.control.setConsented('ada', false);
  const userId = (await fixture.call('POST', '/api/v1/users', {})).body.id;
  const authorized = await fixture.call('GET', `/api/v1/oauth/polar/authorize?user_id=${userId}`);
  const address = new URL(authorized.body.authorization_url);
  address.searchParams.set('login_hint', 'ada');
  const consented = await fetch(address, { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location') ?? '');
  const back = await fetch(`${fixture.service.url}${pathname}${search}`, { redirect: 'manual' });
  expect(back.status).toBe(409);
  expect(await back.text()).toContain('requires further consents');
  expect((await fixture.call('GET', `/api/v1/users/${userId}/connections`)).body).toEqual([]);
});

it('stays connected without mandatory consents, but reads no data', async () => {
  await fixture.control.seedHistory('ada', { seed: 2, days: 5 });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.setConsented('ada', false);
  const run = await fixture.pull(ada);
  expect(run?.metadata.data_types).toMatchObject({ sleep: { status: 'skipped', error: 'scope_missing' } });
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  await fixture.control.setConsented('ada', true);
  expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
});

it('retries only the data type that rejects the token', async () => {
  await fixture.control.seedHistory('ada', { seed: 2, days: 5 });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.addFault({ kind: 'error', status: 401, path: '/v3/users/activities', times: null });
  await fixture.pull(ada);
  for (let tries = 0; tries < 4; tries++) await later();
  const run = await fixture.lastRun(ada);
  expect(run?.metadata.data_types).toMatchObject({
    sleep: { status: 'success' },
    'cardio-load': { status: 'success' },
  });
  expect(run?.metadata.data_types).not.toMatchObject({ activities: { status: 'success' } });
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  expect(await registrations()).toContain('GET /v3/users/60417735 200');
});

it('ends the connection only if all types reject the token', async () => {
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.addFault({ kind: 'error', status: 401, path: '/v3/users/sleep', times: null });
  await fixture.control.addFault({ kind: 'error', status: 503, path: '/v3/users/60417735', times: 1 });
  await fixture.pull(ada);
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  await fixture.control.addFault({ kind: 'error', status: 401, path: '/v3/', times: null });
  await later();
  expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked', status_reason: 'refresh_failed' });
});
