import { inTransaction } from '@healthd/daemon/platform/database';
import { type OuraSimulator, startOuraSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const TOKENS = '/oauth/v2/ext/oauth-token';

let fixture: VendorFixture<OuraSimulator>;
let user: ConnectedUser;
beforeAll(async () => {
  fixture = await openVendorFixture('oura', await startOuraSimulator({ autoConsent: true }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada' });
  await fixture.control.addAccount({ id: 'ben' });
  user = await fixture.connect('ada');
  await fixture.reading.settle();
});

async function stored() {
  const { rows } = await fixture.pool.query(
    `select status, provider_user_id, scope, account_state, time_zone, access_token, refresh_token, token_version
       from connection where id = $1`,
    [user.connectionId],
  );
  return rows[0];
}

it('stores no token that the vendor renewed for a former account', async () => {
  await fixture.pool.query('update connection set token_expires_at = now() where id = $1', [user.connectionId]);
  await fixture.control.clearRequests();
  await fixture.control.addFault({ kind: 'held', role: 'token' });
  const pulling = fixture.pull(user);
  await expect.poll(async () => (await fixture.control.requests(TOKENS)).length).toBe(1);
  await fixture.connect('ben', user.userId);
  const consented = await stored();
  await fixture.control.releaseAnswers();
  await pulling;
  expect(await stored()).toEqual(consented);
  expect(await fixture.control.grantedScopes('ada')).toEqual([]);
  expect(await fixture.control.grantedScopes('ben')).not.toEqual([]);
  await fixture.reading.settle();
  expect(await fixture.lastRun(user)).toMatchObject({ status: 'success' });
});

it("ignores a former account's late response", async () => {
  const { connections, pool } = fixture.reading;
  const former = await connections.findConnectionById(user.connectionId);
  if (!former) throw new Error('not connected');
  await fixture.connect('ben', user.userId);
  const consented = await stored();
  await connections.markAccountState(former, 'not_linked');
  await connections.storeTimeZone(former, 'Asia/Tokyo');
  await inTransaction(pool, (client) => connections.changeScope(client, former, 'heartrate'));
  await connections.endDeregistered(former);
  expect(await stored()).toEqual(consented);
});
