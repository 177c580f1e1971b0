import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPullFixture, type PullFixture } from '../../../../test/support/pull-fixture.js';
import { startReading } from './connected.js';
import { queuePull } from './open-runs.js';

let pulls: PullFixture;
let { vendor, fixture, user, connectionId, pull } = {} as PullFixture;
beforeEach(async () => {
  pulls = await openPullFixture();
  ({ vendor, fixture, user, connectionId, pull } = pulls);
});
afterEach(() => pulls.close());

describe('the run of a connection', () => {
  it('is cancelled without any vendor request after a disconnect', async () => {
    const connection = await fixture.connections.findConnectionById(connectionId);
    await queuePull(fixture.services, connection!, { kind: 'live' });
    await fixture.connections.writer.end(fixture.pool, connectionId, 'user_disconnected');
    await fixture.work(connectionId);
    expect((await fixture.runsOf(user.userKey))[0]).toMatchObject({
      stage: 'cancelled',
      status: 'cancelled',
      message: 'User not connected to oura',
    });
    expect(vendor.calls).toEqual([]);
    expect(await fixture.samplesOf(user.userKey)).toEqual([]);
  });

  it('discards a window if the connection ends during the read', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 1);
    vendor.meanwhile = async () => {
      await fixture.connections.writer.end(fixture.pool, connectionId, 'user_disconnected');
    };
    expect(await pull()).toMatchObject({ stage: 'cancelled', status: 'cancelled' });
    expect(await fixture.samplesOf(user.userKey)).toEqual([]);
  });

  it('fails when the vendor rejects the renewed authorization', async () => {
    vendor.fault = () => ({ code: 'unauthorized', status: 401 });
    expect(await pull()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('rejected an authorization that it had just renewed'),
    });
    expect(vendor.calls).toHaveLength(1);
  });
});

describe('a new vendor account', () => {
  it('receives no data of a window requested for the old account', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 1);
    vendor.meanwhile = async () => {
      vendor.meanwhile = async () => {};
      vendor.remove('steps', '2026-03-10T08:00:00Z');
      await fixture.consent(user, 'vendor-2');
    };
    expect(await pull()).toMatchObject({ stage: 'cancelled', status: 'cancelled' });
    expect(await fixture.samplesOf(user.userKey)).toEqual([]);
    expect(await fixture.cursorsOf(connectionId)).toEqual({});
  });

  it("replaces the old account's runs with its own pull", async () => {
    vendor.fault = (dataType) => (dataType === 'pulse' ? { code: 'unavailable', status: 500 } : undefined);
    await pull('backfill', new Date('2026-03-01T00:00:00Z'));
    await pull();
    await fixture.consent(user, 'vendor-2');
    const connection = await fixture.connections.findConnectionById(connectionId);
    await startReading(fixture.services, connection!, { firstEver: false, accountChanged: true });
    expect((await fixture.runsOf(user.userKey)).map(({ source, stage }) => `${source} ${stage}`)).toEqual([
      'backfill cancelled',
      'pull cancelled',
      'pull queued',
    ]);
  });

  it("is read from its own consent, not from the old account's", async () => {
    await fixture.pool.query('update connection set consented_at = $1', ['2025-03-10T12:00:00Z']);
    await fixture.consent(user, 'vendor-2');
    await pull();
    const earliest = Math.min(...vendor.calls.map(({ window }) => window.startMs));
    expect(new Date(earliest).toISOString()).toBe('2026-03-09T12:00:00.000Z');
  });

  it('keeps its vendor ID when the old account is identified late', async () => {
    await fixture.connections.writer.establish({
      user,
      provider: 'oura',
      scope: 'activity',
      identity: undefined,
      accountState: 'linked',
      tokens: { accessToken: 'a token', members: {} },
      accessTokenSeconds: 3_600,
    });
    await fixture.consent(user, 'vendor-2');
    await fixture.connections.writer.identify(connectionId, { userId: 'vendor-1' });
    expect((await fixture.connections.findConnectionById(connectionId))?.providerUserId).toBe('vendor-2');
  });
});
