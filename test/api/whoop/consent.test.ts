import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWhoopFixture, type WhoopFixture } from './whoop-fixture.js';

let fixture: WhoopFixture;
beforeEach(async () => {
  fixture = await openWhoopFixture();
  await fixture.control.addAccount({ id: 'ada', userId: '778812' });
  await fixture.control.seedHistory('ada', { days: 5 });
});
afterEach(() => fixture.close());

const disconnect = (userId: string) => fixture.call('DELETE', `/api/v1/users/${userId}/connections/whoop`);

it('connects the account under its WHOOP user ID with all seven scopes', async () => {
  const ada = await fixture.connect('ada');
  const { rows } = await fixture.pool.query('select provider_user_id from connection where id = $1', [
    ada.connectionId,
  ]);
  expect(rows).toEqual([{ provider_user_id: '778812' }]);
  expect(await fixture.control.grantedScopes('ada')).toHaveLength(7);
  expect(await fixture.connection(ada)).toMatchObject({ provider: 'whoop', status: 'active' });
});

it('concurrent callers share one refresh of a single-use token', async () => {
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.expireAccessTokens();
  await fixture.control.clearRequests();
  const connection = await fixture.reading.connections.findConnectionById(ada.connectionId);
  if (!connection) throw new Error('no connection');
  const profiles = Array.from({ length: 8 }, () =>
    fixture.reading.connections.vendorApiOf(connection).call({ path: '/v2/user/profile/basic' }),
  );
  expect(await Promise.all(profiles)).toHaveLength(8);
  expect((await fixture.control.requests('/oauth2/token')).map(({ status }) => status)).toEqual([200]);
  expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
});

describe('disconnecting', () => {
  it('revokes the access at WHOOP', async () => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await disconnect(ada.userId)).status).toBe(204);
    expect(await fixture.control.grantedScopes('ada')).toEqual([]);
    expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked' });
  });

  it('revokes the grant even if the access token has expired', async () => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.control.expireAccessTokens();
    expect((await disconnect(ada.userId)).status).toBe(204);
    expect(await fixture.control.grantedScopes('ada')).toEqual([]);
  });

  it.each([400, 401, 429, 500])('ends the local connection even if WHOOP responds %i', async (status) => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.control.addFault({ kind: 'error', status, path: '/v2/user/access', times: null });
    expect((await disconnect(ada.userId)).status).toBe(204);
    expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked' });
  });
});

describe('disconnecting a connection without a WHOOP account ID', () => {
  const SLEEP_ALONE = { scopes: ['offline', 'read:sleep'] };

  it('keeps a grant that another user may share', async () => {
    const ada = await fixture.connect('ada');
    await fixture.control.setConsent(SLEEP_ALONE);
    const unnamed = await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await disconnect(unnamed.userId)).status).toBe(204);
    expect(await fixture.connection(unnamed)).toMatchObject({ status: 'revoked' });
    expect(await fixture.control.requests('/v2/user/access')).toEqual([]);
    expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
  });

  it('revokes the grant if no other user is connected', async () => {
    await fixture.control.setConsent(SLEEP_ALONE);
    const unnamed = await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await disconnect(unnamed.userId)).status).toBe(204);
    expect(await fixture.control.grantedScopes('ada')).toEqual([]);
  });
});

describe('a consent without data access', () => {
  const ends = () => fixture.control.requests('/v2/user/access');

  it('is revoked at WHOOP', async () => {
    await fixture.control.setConsent({ scopes: ['offline', 'read:profile'] });
    await expect(fixture.connect('ada')).rejects.toThrow('no connection was made');
    expect(await ends()).toHaveLength(1);
    expect(await fixture.control.grantedScopes('ada')).toEqual([]);
  });

  it.each([
    ['an account that another user shares', ['offline', 'read:profile']],
    ['an unknown account', ['offline']],
  ])('for %s keeps an existing connection active', async (_, scopes) => {
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.control.setConsent({ scopes });
    await expect(fixture.connect('ada')).rejects.toThrow('no connection was made');
    expect(await ends()).toEqual([]);
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });
});

it('ends the connection at the next renewal after a revocation', async () => {
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.revokeGrants('ada');
  expect(await fixture.pull(ada)).toMatchObject({ status: 'failed' });
  expect(await fixture.connection(ada)).toMatchObject({ status: 'revoked' });
});

it('keeps the connection after a temporary token endpoint failure', async () => {
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.expireAccessTokens();
  await fixture.control.addFault({ kind: 'error', status: 500, role: 'token', times: null });
  await fixture.pull(ada);
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
});

it('shows the scope offline as missing if not granted', async () => {
  const granted = [
    'read:profile',
    'read:sleep',
    'read:cycles',
    'read:recovery',
    'read:workout',
    'read:body_measurement',
  ];
  await fixture.control.setConsent({ scopes: granted });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  expect(await fixture.connection(ada)).toMatchObject({
    status: 'active',
    missing_scopes: ['offline'],
    missing_data_types: ['offline'],
  });
});

it('keeps the connection active despite missing scopes and 401s', async () => {
  await fixture.control.setConsent({ scopes: ['offline', 'read:profile', 'read:sleep', 'read:cycles'] });
  const ada = await fixture.connect('ada');
  await fixture.reading.settle();
  await fixture.control.addFault({ kind: 'error', status: 401, path: '/v2/cycle', times: null });
  const run = await fixture.pull(ada);
  expect(run?.metadata.data_types).toMatchObject({
    sleep: { status: 'success' },
    recovery: { status: 'skipped', error: 'scope_missing' },
    cycle: { status: 'skipped', error: 'scope_missing' },
  });
  expect(await fixture.connection(ada)).toMatchObject({
    status: 'active',
    missing_scopes: ['read:recovery', 'read:workout', 'read:body_measurement'],
    missing_data_types: ['recovery', 'workout', 'body'],
  });
});
