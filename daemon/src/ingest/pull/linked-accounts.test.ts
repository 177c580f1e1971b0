import { MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadingPlace, type ReadingPlace } from '../../../../test/support/reading-place.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { queuePull } from './open-runs.js';
import { schedulePulls } from './schedule-pulls.js';

let vendor: ScriptedVendor;
let place: ReadingPlace;
let ada: { id: string; userKey: number };
let ben: { id: string; userKey: number };
let adas: string;
let bens: string;
let nowMs: number;

beforeEach(async () => {
  vendor = new ScriptedVendor();
  nowMs = Date.parse('2026-03-10T12:00:00Z');
  place = await openReadingPlace({
    provider: vendor.provider(),
    now: () => new Date(nowMs),
    historicalSyncOnConnect: false,
  });
  ada = await place.addUser();
  ben = await place.addUser();
  adas = await place.consent(ada);
  bens = await place.consent(ben);
  await place.pool.query('update connection set consented_at = $1', [new Date(nowMs)]);
  await place.pool.query(`update connection set created_at = created_at - interval '1 hour' where id = $1`, [adas]);
});
afterEach(() => place.close());

async function pull(connectionId: string) {
  const connection = await place.connections.findConnectionById(connectionId);
  await queuePull(place.services, connection!, { kind: 'live' });
  await place.work(adas);
}

describe('two users with one account of the vendor', () => {
  it('two users with one account of the vendor are given the same data by one reading, the second in a run of their own', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    await pull(adas);
    expect(await place.samplesOf(ben.userKey)).toEqual(await place.samplesOf(ada.userKey));
    expect(await place.samplesOf(ben.userKey)).toHaveLength(1);
    const windows = vendor.callsOf('steps').map(({ startMs }) => startMs);
    expect(new Set(windows).size).toBe(windows.length);
    const [primary] = await place.runsOf(ada.userKey);
    const [linked, ...more] = await place.runsOf(ben.userKey);
    expect(primary).toMatchObject({ source: 'pull', status: 'success', primary_user_id: null });
    expect(linked).toMatchObject({ source: 'linked_account', status: 'success', primary_user_id: ada.id });
    expect(linked.metadata.data_types.steps).toMatchObject({ status: 'success', inserted: 1 });
    expect(more).toEqual([]);
  });

  it('two users with one account of the vendor are both up to date then, but a cursor moves over no hole', async () => {
    await pull(adas);
    expect((await place.connections.findConnectionById(bens))?.lastSyncedAt).toBeInstanceOf(Date);
    expect((await place.cursorsOf(bens)).steps).toBeUndefined();
    await pull(bens);
    const begun = await place.cursorsOf(bens);
    nowMs += MS_PER_HOUR;
    await pull(adas);
    expect((await place.cursorsOf(bens)).steps).toBe((await place.cursorsOf(adas)).steps);
    expect((await place.cursorsOf(bens)).steps).not.toBe(begun.steps);
  });

  it('two users with one account of the vendor cost one scheduled pull, once both have data', async () => {
    const signal = new AbortController().signal;
    expect(await schedulePulls(place.services, ['oura'], signal)).toBe(2);
    nowMs += 600_000;
    await place.work(adas);
    nowMs += 7_200_000;
    expect(await schedulePulls(place.services, ['oura'], signal)).toBe(1);
    expect((await place.runsOf(ben.userKey)).map(({ source, stage }) => [source, stage])).not.toContainEqual([
      'pull',
      'queued',
    ]);
  });

  it('two users with one account of the vendor are each given what they consented to themselves, and no less', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    vendor.put('pulse', '2026-03-10T08:00:00Z', 60);
    await place.consent(ada, 'vendor-1', 'activity');
    await place.consent(ben, 'vendor-1', 'heart');
    await pull(adas);
    expect(await place.samplesOf(ada.userKey)).toEqual(['2026-03-10 08:00 80 100']);
    expect(await place.samplesOf(ben.userKey)).toEqual([]);
    await pull(bens);
    nowMs += 7_200_000;
    vendor.put('steps', '2026-03-10T13:00:00Z', 50);
    vendor.put('pulse', '2026-03-10T13:00:00Z', 70);
    await schedulePulls(place.services, ['oura'], new AbortController().signal);
    nowMs += 600_000;
    await place.work(adas);
    expect(await place.samplesOf(ada.userKey)).toEqual(['2026-03-10 08:00 80 100', '2026-03-10 13:00 80 50']);
    expect(await place.samplesOf(ben.userKey)).toEqual(['2026-03-10 08:00 1 60', '2026-03-10 13:00 1 70']);
  });

  it('two users with one account of the vendor share one job, so that the account is never read twice at the same time', async () => {
    const connection = await place.connections.findConnectionById(bens);
    await queuePull(place.services, connection!, { kind: 'manual' });
    expect(await place.waiting()).toEqual([adas]);
  });

  it('two users with one account of the vendor do not lose what one of them would have been given when that one is killed in between', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    const { writeIn } = place.services.writer;
    let writes = 0;
    place.services.writer.writeIn = async (...given) => {
      writes += 1;
      if (writes === 2) throw new Error('killed after the first user');
      return writeIn(...given);
    };
    await expect(pull(adas)).rejects.toThrow('killed');
    await place.work(adas);
    expect(await place.samplesOf(ada.userKey)).toHaveLength(1);
    expect(await place.samplesOf(ben.userKey)).toHaveLength(1);
    expect((await place.runsOf(ben.userKey)).map(({ status }) => status)).toEqual(['success']);
  });
});
