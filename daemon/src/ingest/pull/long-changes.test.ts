import { MS_PER_DAY, MS_PER_HOUR, seriesTypeByCode } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { receiveDelivery } from '../webhooks/receive-notifications.js';
import { queuePull } from './open-runs.js';

const STEPS = seriesTypeByCode('steps').id;
const PULSE = seriesTypeByCode('heart_rate').id;
const NOW = Date.parse('2026-11-10T12:00:00Z');

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
let user: { id: string; userKey: number };
let connectionId: string;
let nowMs: number;

beforeEach(async () => {
  nowMs = NOW;
  vendor = new ScriptedVendor();
  fixture = await openReadingFixture({
    provider: vendor.provider(),
    now: () => new Date(nowMs),
    historicalSyncOnConnect: false,
  });
  user = await fixture.addUser();
  connectionId = await fixture.consent(user);
  await fixture.pool.query('update connection set consented_at = $1', [new Date(NOW - 3 * MS_PER_DAY)]);
});
afterEach(() => fixture.close());

const row = (time: string, typeId: number, value: number) =>
  `${time.slice(0, 16).replace('T', ' ')} ${typeId} ${value}`;
async function notify(dataType: string, operation: string, startTime: string, endTime: string) {
  const interval = { physicalTimeInterval: { startTime, endTime } };
  const data = { healthUserId: 'vendor-1', dataType, operation, intervals: [interval] };
  return receiveDelivery(fixture.services, 'oura', {
    query: new URLSearchParams(),
    headers: { authorization: 'Bearer a secret of the webhook' },
    rawBody: Buffer.from(JSON.stringify([{ data }])),
  });
}
async function read(kind: 'manual' | 'live' | 'backfill' = 'live', fromAt?: Date) {
  const connection = await fixture.connections.findConnectionById(connectionId);
  await queuePull(fixture.services, connection!, { kind, ...(fromAt && { fromAt }) });
  await fixture.settle();
}
const states = async () =>
  (await fixture.pool.query('select state from provider_notification order by seq')).rows.map(({ state }) => state);

describe('a deletion that spans years', () => {
  it('causes rereads only where data is stored', async () => {
    const [kept, gone] = ['2026-11-09T08:00:00Z', '2026-10-20T08:00:00Z'];
    vendor.put('steps', kept, 7);
    vendor.put('steps', gone, 9);
    await read('manual', new Date('2026-10-19T00:00:00Z'));
    vendor.calls.length = 0;
    vendor.remove('steps', gone);
    await notify('steps', 'DELETE', '2019-01-01T00:00:00Z', '2026-11-10T12:00:00Z');
    await fixture.settle();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(kept, STEPS, 7)]);
    expect(await states()).toEqual(['done']);
    expect(vendor.callsOf('steps').length).toBeLessThanOrEqual(8);
    for (const { startMs, endMs } of vendor.callsOf('steps')) {
      const isNear = [kept, gone].some(
        (at) => startMs - 2 * MS_PER_DAY < Date.parse(at) && Date.parse(at) < endMs + 2 * MS_PER_DAY,
      );
      expect(isNear).toBe(true);
    }
  });

  it('causes no request or run without stored data', async () => {
    await read();
    vendor.calls.length = 0;
    await notify('steps', 'DELETE', '2019-01-01T00:00:00Z', '2026-11-10T12:00:00Z');
    await fixture.settle();
    expect(vendor.calls).toEqual([]);
    expect((await fixture.runsOf(user.userKey)).map(({ source }) => source)).toEqual(['pull']);
    expect(await states()).toEqual(['done']);
    expect(await fixture.waiting()).toEqual([]);
  });

  it('causes rereads where sessions are stored', async () => {
    const gone = '2026-11-01T08:00:00Z';
    vendor.put('runs', gone, 30);
    await read('manual', new Date('2026-10-31T00:00:00Z'));
    const workouts = () => fixture.pool.query('select 1 from workout where user_key = $1', [user.userKey]);
    expect((await workouts()).rowCount).toBe(1);
    vendor.calls.length = 0;
    vendor.remove('runs', gone);
    await notify('runs', 'DELETE', '2019-01-01T00:00:00Z', '2026-11-10T12:00:00Z');
    await fixture.settle();
    expect((await workouts()).rowCount).toBe(0);
    expect(vendor.callsOf('runs').length).toBeLessThanOrEqual(2);
  });

  it("removes a linked user's data if the primary user has none", async () => {
    const ben = await fixture.addUser();
    await fixture.consent(ben);
    const gone = '2026-11-09T08:00:00Z';
    vendor.put('steps', gone, 9);
    await read();
    await fixture.pool.query('delete from sample where user_key = $1', [user.userKey]);
    await fixture.pool.query('delete from day_value where user_key = $1', [user.userKey]);
    expect(await fixture.samplesOf(ben.userKey)).toEqual([row(gone, STEPS, 9)]);
    vendor.remove('steps', gone);
    await notify('steps', 'DELETE', '2019-01-01T00:00:00Z', '2026-11-10T12:00:00Z');
    await fixture.settle();
    expect(await fixture.samplesOf(ben.userKey)).toEqual([]);
  });
});

describe('a change that spans years', () => {
  it('is read from the start of the backfill until now', async () => {
    const early = '2026-08-20T08:00:00Z';
    vendor.put('steps', early, 7);
    vendor.put('steps', '2025-08-20T08:00:00Z', 8);
    await notify('steps', 'UPSERT', '2019-01-01T00:00:00Z', '2026-12-31T00:00:00Z');
    await fixture.settle();
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(early, STEPS, 7)]);
    const calls = vendor.callsOf('steps');
    expect(Math.min(...calls.map(({ startMs }) => startMs))).toBe(NOW - 93 * MS_PER_DAY);
    expect(Math.max(...calls.map(({ endMs }) => endMs))).toBeLessThanOrEqual(NOW + MS_PER_DAY / 12);
  });

  it('is read by the next pull if the change was unreadable before', async () => {
    await read();
    vendor.fault = (dataType) => (dataType === 'steps' ? { code: 'invalid_request', status: 400 } : undefined);
    await notify('steps', 'UPSERT', '2019-01-01T00:00:00Z', '2026-11-10T12:00:00Z');
    await fixture.settle();
    expect(await states()).toEqual(['failed']);
    vendor.fault = () => undefined;
    vendor.calls.length = 0;
    nowMs += MS_PER_HOUR;
    await read();
    expect(await states()).toEqual(['done']);
    expect(Math.min(...vendor.callsOf('steps').map(({ startMs }) => startMs))).toBe(NOW - 93 * MS_PER_DAY);
  });
});

describe('during a long run over older notifications', () => {
  it('serves new notifications and manual pulls before the rest of the run', async () => {
    await read();
    vendor.calls.length = 0;
    await notify('steps', 'UPSERT', '2026-08-15T00:00:00Z', '2026-11-08T00:00:00Z');
    const fresh = '2026-11-10T11:30:00Z';
    let reported = false;
    vendor.meanwhile = async () => {
      if (reported || vendor.calls.length < 40) return;
      reported = true;
      vendor.put('pulse', fresh, 61);
      await notify('pulse', 'UPSERT', '2026-11-10T11:00:00Z', '2026-11-10T12:00:00Z');
      const connection = await fixture.connections.findConnectionById(connectionId);
      await queuePull(fixture.services, connection!, { kind: 'manual', dataTypes: ['runs'] });
    };
    await fixture.settle();
    const order = vendor.calls.map(({ dataType }) => dataType);
    expect(order.slice(40, 44)).toContain('pulse');
    expect(order.slice(40, 50)).toContain('runs');
    expect(order.lastIndexOf('steps')).toBe(order.length - 1);
    expect(order.filter((dataType) => dataType === 'steps').length).toBeGreaterThan(80);
    expect(await fixture.samplesOf(user.userKey)).toEqual([row(fresh, PULSE, 61)]);
    expect((await fixture.runsOf(user.userKey)).filter(({ source }) => source === 'webhook')).toMatchObject([
      { status: 'success' },
      { status: 'success' },
    ]);
    expect(await states()).toEqual(['done', 'done']);
  });

  it('alternates between the long run and a backfill', async () => {
    await read();
    vendor.calls.length = 0;
    await notify('steps', 'UPSERT', '2026-08-15T00:00:00Z', '2026-11-08T00:00:00Z');
    const connection = await fixture.connections.findConnectionById(connectionId);
    const backfill = { kind: 'backfill', dataTypes: ['pulse'], fromAt: new Date(NOW - 60 * MS_PER_DAY) } as const;
    await queuePull(fixture.services, connection!, backfill);
    await fixture.settle();
    const order = vendor.calls.map(({ dataType }) => dataType);
    expect(new Set(order.slice(70, 74))).toEqual(new Set(['steps', 'pulse']));
  });
});
