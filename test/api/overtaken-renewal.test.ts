import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionFixture } from './connection-fixture.js';
import { failureOf, openRenewalFixture, type RenewalFixture } from './renewal-fixture.js';

const IDENTITY = { path: '/v4/users/me/identity' };

let renewing: RenewalFixture;
let fixture: ConnectionFixture;
let user: string;
let account: { id: string; healthUserId: string };
beforeAll(async () => {
  renewing = await openRenewalFixture();
  fixture = renewing.fixture;
});
beforeEach(async () => {
  ({ user, account } = await renewing.connectPerson());
});
afterAll(() => renewing.close());

describe('a renewal that another change overtakes', () => {
  test('drops a renewed token that the vendor cannot revoke', async () => {
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' }, times: null });
    const renewal = failureOf((await renewing.first().api()).call(IDENTITY));
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
  });

  test('leaves no valid token at the vendor after a disconnect', async () => {
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 600, match: { role: 'token' } });
    const renewal = failureOf((await renewing.first().api()).call(IDENTITY));
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await renewal).toMatchObject({ code: 'unauthorized' });
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'revoked', status_reason: 'user_disconnected' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
  });

  test('revokes a renewed token after the vendor rejected the first revocation', async () => {
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    await fixture.vendor.control.addFault({ kind: 'error', status: 503, match: { role: 'revoke' }, times: 1 });
    const renewal = failureOf((await renewing.first().api()).call(IDENTITY));
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await fixture.vendor.control.grantedScopes(account.id)).not.toEqual([]);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).toEqual([]);
    expect(await fixture.tokensOf(user)).toEqual({ access: undefined, refresh: undefined });
  });

  test('does not revoke a late token while another user shares the account', async () => {
    const other = await fixture.createUser();
    await fixture.connect(other, { account: account.id });
    await renewing.letExpire(0);
    await fixture.vendor.control.clearRequests();
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 600, match: { role: 'token' }, times: 1 });
    const renewal = failureOf((await renewing.first().api()).call(IDENTITY));
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    expect(await fixture.vendor.control.grantedScopes(account.id)).not.toEqual([]);
    expect(await fixture.connectionOf(other)).toMatchObject({ status: 'active' });
  });

  test('sends no request for a waiting renewal after a disconnect', async () => {
    await renewing.letExpire(0);
    const { id } = await fixture.connectionOf(user);
    const holder = await fixture.service.pool.connect();
    try {
      await holder.query('begin');
      await holder.query("select pg_advisory_xact_lock(hashtext('healthd tokens'), hashtext($1))", [id]);
      const renewal = failureOf((await renewing.first().api()).call(IDENTITY));
      const waiting = () =>
        fixture.service.pool.query(
          `select from pg_locks join pg_database d on d.oid = database
            where datname = current_database() and locktype = 'advisory' and not granted`,
        );
      await expect.poll(async () => (await waiting()).rowCount, { interval: 20 }).toBe(1);
      await fixture.call('DELETE', `/api/v1/users/${user}/connections/google`);
      await holder.query('commit');
      expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'disconnected' });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await renewing.tokenRequests()).toEqual([]);
    expect(await renewing.apiRequests()).toEqual([]);
  });

  test('discards a renewal that a new account overtook', async () => {
    const other = await fixture.vendor.control.addAccount();
    await renewing.letExpire(0);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const renewal = failureOf((await renewing.first().api()).call(IDENTITY));
    await expect.poll(async () => (await renewing.tokenRequests()).length, { interval: 10 }).toBe(1);
    await fixture.connect(user, { account: other.id });
    const consented = await fixture.tokensOf(user);
    expect(await renewal).toMatchObject({ code: 'unauthorized', reason: 'account_changed' });
    expect(await fixture.tokensOf(user)).toEqual(consented);
    expect(await (await renewing.first().api()).call(IDENTITY)).toMatchObject({ healthUserId: other.healthUserId });
  });

  test("never returns another account's tokens to an earlier caller", async () => {
    const api = await renewing.first().api();
    const other = await fixture.vendor.control.addAccount();
    await fixture.connect(user, { account: other.id });
    expect(await failureOf(api.call(IDENTITY))).toMatchObject({ code: 'unauthorized', reason: 'account_changed' });
  });
});
