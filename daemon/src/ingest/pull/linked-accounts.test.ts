import { MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { queuePull } from './open-runs.js';
import { schedulePulls } from './schedule-pulls.js';

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
let ada: { id: string; userKey: number };
let ben: { id: string; userKey: number };
let adas: string;
let bens: string;
let nowMs: number;

beforeEach(async () => {
  vendor = new ScriptedVendor();
  nowMs = Date.parse('2026-03-10T12:00:00Z');
  fixture = await openReadingFixture({
    provider: vendor.provider(),
    now: () => new Date(nowMs),
    historicalSyncOnConnect: false,
  });
  ada = await fixture.addUser();
  ben = await fixture.addUser();
  adas = await fixture.consent(ada);
  bens = await fixture.consent(ben);
  await fixture.pool.query('update connection set consented_at = $1', [new Date(nowMs)]);
  await fixture.pool.query(`update connection set created_at = created_at - interval '1 hour' where id = $1`, [adas]);
});
afterEach(() => fixture.close());

async function pull(connectionId: string) {
  const connection = await fixture.connections.findConnectionById(connectionId);
  await queuePull(fixture.services, connection!, { kind: 'live' });
  await fixture.work(adas);
}

describe('two users with one vendor account', () => {
  it('receive the same data from one read, each in their own run', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    await pull(adas);
    expect(await fixture.samplesOf(ben.userKey)).toEqual(await fixture.samplesOf(ada.userKey));
    expect(await fixture.samplesOf(ben.userKey)).toHaveLength(1);
    const windows = vendor.callsOf('steps').map(({ startMs }) => startMs);
    expect(new Set(windows).size).toBe(windows.length);
    const [primary] = await fixture.runsOf(ada.userKey);
    const [linked, ...more] = await fixture.runsOf(ben.userKey);
    expect(primary).toMatchObject({ source: 'pull', status: 'success', primary_user_id: null });
    expect(linked).toMatchObject({ source: 'linked_account', status: 'success', primary_user_id: ada.id });
    expect(linked.metadata.data_types.steps).toMatchObject({ status: 'success', inserted: 1 });
    expect(more).toEqual([]);
  });

  it('share cursor progress only after each user has pulled once', async () => {
    await pull(adas);
    expect((await fixture.connections.findConnectionById(bens))?.lastSyncedAt).toBeInstanceOf(Date);
    expect((await fixture.cursorsOf(bens)).steps).toBeUndefined();
    await pull(bens);
    const firstCursors = await fixture.cursorsOf(bens);
    nowMs += MS_PER_HOUR;
    await pull(adas);
    expect((await fixture.cursorsOf(bens)).steps).toBe((await fixture.cursorsOf(adas)).steps);
    expect((await fixture.cursorsOf(bens)).steps).not.toBe(firstCursors.steps);
  });

  it('share one scheduled pull after each user has pulled once', async () => {
    const signal = new AbortController().signal;
    expect(await schedulePulls(fixture.services, ['oura'], signal)).toBe(2);
    nowMs += 600_000;
    await fixture.work(adas);
    nowMs += 7_200_000;
    expect(await schedulePulls(fixture.services, ['oura'], signal)).toBe(1);
    expect((await fixture.runsOf(ben.userKey)).map(({ source, stage }) => [source, stage])).not.toContainEqual([
      'pull',
      'queued',
    ]);
  });

  it('each receive exactly the data they consented to', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    vendor.put('pulse', '2026-03-10T08:00:00Z', 60);
    await fixture.consent(ada, 'vendor-1', 'activity');
    await fixture.consent(ben, 'vendor-1', 'heart');
    await pull(adas);
    expect(await fixture.samplesOf(ada.userKey)).toEqual(['2026-03-10 08:00 80 100']);
    expect(await fixture.samplesOf(ben.userKey)).toEqual([]);
    await pull(bens);
    nowMs += 7_200_000;
    vendor.put('steps', '2026-03-10T13:00:00Z', 50);
    vendor.put('pulse', '2026-03-10T13:00:00Z', 70);
    await schedulePulls(fixture.services, ['oura'], new AbortController().signal);
    nowMs += 600_000;
    await fixture.work(adas);
    expect(await fixture.samplesOf(ada.userKey)).toEqual(['2026-03-10 08:00 80 100', '2026-03-10 13:00 80 50']);
    expect(await fixture.samplesOf(ben.userKey)).toEqual(['2026-03-10 08:00 1 60', '2026-03-10 13:00 1 70']);
  });

  it("queue the second user's pull under the first user's connection", async () => {
    const connection = await fixture.connections.findConnectionById(bens);
    await queuePull(fixture.services, connection!, { kind: 'manual' });
    expect(await fixture.waiting()).toEqual([adas]);
  });

  it('lose no data when one run is killed midway', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    const { writeIn } = fixture.services.writer;
    let writes = 0;
    fixture.services.writer.writeIn = async (...given) => {
      writes += 1;
      if (writes === 2) throw new Error('killed after the first user');
      return writeIn(...given);
    };
    await expect(pull(adas)).rejects.toThrow('killed');
    await fixture.work(adas);
    expect(await fixture.samplesOf(ada.userKey)).toHaveLength(1);
    expect(await fixture.samplesOf(ben.userKey)).toHaveLength(1);
    expect((await fixture.runsOf(ben.userKey)).map(({ status }) => status)).toEqual(['success']);
  });
});

describe("a cancelled run that also read for another user's run", () => {
  /** Opens one run per user. The vendor returns the steps and fails for the pulse. */
  async function openRuns(): Promise<void> {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    vendor.fault = (dataType) => (dataType === 'pulse' ? { code: 'unavailable', status: 500 } : undefined);
    await pull(adas);
    for (const { userKey } of [ada, ben]) {
      expect((await fixture.runsOf(userKey)).map(({ status }) => status)).toEqual(['in_progress']);
    }
  }

  /** Makes the database reject every change to this user's runs, as after a crash. */
  async function refuseRunsOf({ userKey }: { userKey: number }): Promise<void> {
    await fixture.pool.query(`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'crashed in between'; end $$;
      create trigger refuse before update on sync_run for each row when (new.user_key = ${userKey}) execute function refuse()`);
  }

  it.each(['the other user', 'the reading user'])('leaves no run open if the run of %s crashes', async (whose) => {
    await openRuns();
    await fixture.connections.writer.end(fixture.pool, adas, 'user_disconnected');
    nowMs += 24 * MS_PER_HOUR;
    await refuseRunsOf(whose === 'the other user' ? ben : ada);
    await expect(fixture.work(adas)).rejects.toThrow('crashed in between');
    await fixture.pool.query('drop trigger refuse on sync_run');
    await fixture.work(adas);
    for (const { userKey } of [ada, ben]) {
      expect((await fixture.runsOf(userKey)).map(({ status }) => status)).toEqual(['cancelled']);
    }
    expect((await fixture.pool.query('select run_id from pull_progress')).rows).toEqual([]);
  });
});
