import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { queuePull } from '../pull/open-runs.js';
import { schedulePulls } from '../pull/schedule-pulls.js';
import { receiveDelivery } from './receive-notifications.js';

const STEPS = 80;

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
let user: { id: string; userKey: number };
let connectionId: string;
let nowMs: number;

beforeEach(async () => {
  vendor = new ScriptedVendor();
  nowMs = Date.now();
  fixture = await openReadingFixture({
    provider: vendor.provider(),
    now: () => new Date(nowMs),
    historicalSyncOnConnect: false,
  });
  user = await fixture.addUser();
  connectionId = await fixture.consent(user);
});
afterEach(() => fixture.close());

const later = (hours: number) => {
  nowMs += hours * MS_PER_HOUR;
};
const at = (daysAgo: number) => new Date(nowMs - daysAgo * MS_PER_DAY).toISOString();
/** Formats a sample as `fixture.samplesOf` returns it. */
const row = (time: string, value: number) => `${time.slice(0, 16).replace('T', ' ')} ${STEPS} ${value}`;
async function notify(dataType: string, startTime: string, { account = 'vendor-1', hours = 1 } = {}) {
  const endTime = new Date(Date.parse(startTime) + hours * MS_PER_HOUR).toISOString();
  const item = { healthUserId: account, dataType, intervals: [{ physicalTimeInterval: { startTime, endTime } }] };
  return receiveDelivery(fixture.services, 'oura', {
    query: new URLSearchParams(),
    headers: { authorization: 'Bearer a secret of the webhook' },
    rawBody: Buffer.from(JSON.stringify([{ data: item }])),
  });
}
const schedule = () => schedulePulls(fixture.services, ['oura'], new AbortController().signal);
async function poll() {
  later(6);
  await schedule();
  later(0.25);
  await fixture.settle();
}
async function vendorTells() {
  await fixture.connections.uses.change('oura', { liveSyncMode: 'webhook' });
  await fixture.connections.uses.setSubscriberState('oura', 'active');
}
async function pull() {
  const connection = await fixture.connections.findConnectionById(connectionId);
  await queuePull(fixture.services, connection!, { kind: 'live' });
  await fixture.settle();
}
const states = async () =>
  (await fixture.pool.query('select state from provider_notification order by seq')).rows.map(({ state }) => state);

describe('a notified change that was not readable', () => {
  it('is read by exactly one later pull, even if old', async () => {
    await pull();
    await vendorTells();
    await poll();
    const old = at(20);
    vendor.put('steps', old, 7);
    vendor.fault = () => ({ code: 'unavailable', status: 503 });
    await notify('steps', old);
    for (let turn = 0; turn < 5; turn++) {
      await fixture.settle();
      later(1);
    }
    expect(await states()).toEqual(['failed']);
    vendor.fault = () => undefined;
    await notify('pulse', at(0));
    await poll();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(old, 7)]);
    expect(await states()).toEqual(['done', 'done']);
    const calls = vendor.callsOf('steps').length;
    await poll();
    expect(vendor.callsOf('steps')).toHaveLength(calls);
  });

  it('delays only later changes of the same data type', async () => {
    await pull();
    const [early, late] = [at(2), at(1)];
    vendor.put('steps', early, 7);
    vendor.put('pulse', early, 61);
    vendor.fault = (dataType) => (dataType === 'steps' ? { code: 'unavailable', status: 503 } : undefined);
    await notify('steps', early);
    await fixture.settle();
    vendor.calls.length = 0;
    vendor.put('steps', late, 8);
    await notify('steps', late);
    await notify('pulse', early);
    await fixture.work(connectionId);
    expect(vendor.calls.map(({ dataType }) => dataType)).toEqual(['pulse']);
    expect(await states()).toEqual(['received', 'received', 'done']);
    vendor.fault = () => undefined;
    later(1);
    await fixture.settle();
    expect(await states()).toEqual(['done', 'done', 'done']);
    const steps = (await fixture.samplesOf(user.userKey)).filter((sample) => sample.includes(` ${STEPS} `));
    expect(steps).toEqual([row(early, 7), row(late, 8)]);
  });

  it('is kept if the later pull fails too', async () => {
    await pull();
    const old = at(20);
    vendor.put('steps', old, 7);
    vendor.fault = (dataType) => (dataType === 'steps' ? { code: 'invalid_request', status: 400 } : undefined);
    await notify('steps', old);
    await fixture.settle();
    await poll();
    expect(await states()).toEqual(['failed']);
    vendor.fault = () => undefined;
    await poll();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(old, 7)]);
    expect(await states()).toEqual(['done']);
  });

  it('is read for another user of the account after a disconnect', async () => {
    const ben = await fixture.addUser();
    const bens = await fixture.consent(ben);
    await fixture.pool.query(`update connection set created_at = created_at + interval '1 hour' where id = $1`, [bens]);
    const old = at(20);
    vendor.put('steps', old, 7);
    vendor.meanwhile = async () => {
      vendor.meanwhile = async () => {};
      await fixture.connections.writer.end(fixture.pool, connectionId, 'user_disconnected');
    };
    await notify('steps', old);
    await fixture.settle();
    expect(await fixture.samplesOf(user.userKey)).toEqual([]);
    expect(await fixture.samplesOf(ben.userKey)).toEqual([row(old, 7)]);
    expect(await states()).toEqual(['done']);
  });

  it('is read after the provider is enabled again', async () => {
    await pull();
    await vendorTells();
    await poll();
    await fixture.connections.uses.change('oura', { isEnabled: false });
    const old = at(20);
    vendor.put('steps', old, 7);
    expect(await notify('steps', old)).toMatchObject({ kind: 'accepted', connectionIds: [] });
    await fixture.settle();
    expect(await fixture.samplesOf(user.userKey)).toEqual([]);
    await fixture.connections.uses.change('oura', { isEnabled: true });
    await poll();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(old, 7)]);
  });
});

describe('a run that a notification started', () => {
  it('stores the changes without moving the cursor', async () => {
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    expect(before.steps).toEqual(expect.any(String));
    later(48);
    const start = at(5);
    const changed = at(3);
    vendor.put('steps', changed, 7);
    await notify('steps', start, { hours: 5 * 24 });
    await fixture.settle();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(changed, 7)]);
    expect(await states()).toEqual(['done']);
    expect(await fixture.cursorsOf(connectionId)).toEqual(before);
  });

  it('creates no cursor before the first pull', async () => {
    vendor.put('steps', at(1), 7);
    await notify('steps', at(3), { hours: 3 * 24 });
    await fixture.settle();
    expect((await fixture.samplesOf(user.userKey)).length).toBe(1);
    expect(await fixture.cursorsOf(connectionId)).toEqual({});
  });
});

describe('a data type that failed in a pull', () => {
  it('is pulled again although only later changes were notified', async () => {
    await pull();
    later(24 * 10);
    const missing = at(5);
    vendor.put('steps', missing, 7);
    vendor.fault = (dataType) => (dataType === 'steps' ? { code: 'invalid_request', status: 400 } : undefined);
    await pull();
    vendor.fault = () => undefined;
    await vendorTells();
    await notify('steps', at(0));
    await fixture.settle();
    await poll();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(missing, 7)]);
  });
});

describe('a vendor that starts to report changes', () => {
  it('is pulled completely once more to cover the gap', async () => {
    await pull();
    const untold = at(0.01);
    vendor.put('steps', untold, 7);
    await vendorTells();
    await notify('pulse', at(0));
    await poll();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(untold, 7)]);
    const calls = vendor.callsOf('steps').length;
    await notify('pulse', at(0));
    await poll();
    expect(vendor.callsOf('steps')).toHaveLength(calls);
  });
});

describe('a data type without consent', () => {
  it('is not requested after a vendor notification', async () => {
    await fixture.consent(user, 'vendor-1', 'activity');
    await notify('pulse', at(0));
    await fixture.settle();
    expect(vendor.callsOf('pulse')).toEqual([]);
  });
});
