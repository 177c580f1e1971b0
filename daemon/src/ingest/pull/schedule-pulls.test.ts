import { MS_PER_DAY, MS_PER_HOUR, SECONDS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { startReading } from './connected.js';
import { schedulePulls } from './schedule-pulls.js';

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
let user: { id: string; userKey: number };
let connectionId: string;
let nowMs: number;

beforeEach(async () => {
  vendor = new ScriptedVendor();
  // Uses large windows, because the number of backfill windows does not matter here.
  vendor.windowMs = 30 * MS_PER_DAY;
  nowMs = Date.now();
  fixture = await openReadingFixture({ provider: vendor.provider(), now: () => new Date(nowMs) });
  user = await fixture.addUser();
  connectionId = await fixture.consent(user);
});
afterEach(() => fixture.close());

const later = (hours: number) => {
  nowMs += hours * MS_PER_HOUR;
};
const schedule = () => schedulePulls(fixture.services, ['oura'], new AbortController().signal);
const kinds = async () => {
  const { rows } = await fixture.pool.query('select kind, data_types from pull_run order by kind');
  return rows.map(({ kind, data_types }) => (data_types ? `${kind} ${data_types}` : kind));
};
async function connected(establishment = { firstEver: true, accountChanged: false }) {
  const connection = await fixture.connections.findConnectionById(connectionId);
  await startReading(fixture.services, connection!, establishment);
}
/** Runs everything that is due or spread over the next minutes. */
async function workOff() {
  await fixture.work(connectionId);
  nowMs += 700_000;
  await fixture.work(connectionId);
}
async function webhookMode(subscriberState: 'active' | 'registering' | 'unmanaged') {
  await fixture.connections.uses.change('oura', { liveSyncMode: 'webhook' });
  await fixture.connections.uses.setSubscriberState('oura', subscriberState);
}

describe('after a consent', () => {
  it('starts a pull and a backfill after the first consent', async () => {
    await connected();
    expect(await kinds()).toEqual(['backfill', 'live']);
    expect(await fixture.waiting()).toEqual([connectionId]);
    const [backfill] = (await fixture.runsOf(user.userKey)).filter(({ source }) => source === 'backfill');
    expect(backfill.metadata).toMatchObject({ is_historical: true, days: 90 });
    await workOff();
    const starts = vendor.callsOf('steps').map(({ startMs }) => startMs);
    expect(Math.min(...starts)).toBeLessThanOrEqual(nowMs - 89.9 * MS_PER_DAY);
    expect(await schedule()).toBe(0);
  });

  it('starts only a pull after a later consent', async () => {
    await connected({ firstEver: false, accountChanged: false });
    expect(await kinds()).toEqual(['live']);
  });

  it('repeats a backfill that failed before', async () => {
    vendor.fault = () => ({ code: 'unauthorized', status: 401 });
    await connected();
    await workOff();
    expect(await kinds()).toEqual([]);
    await connected({ firstEver: false, accountChanged: false });
    expect(await kinds()).toEqual(['backfill', 'live']);
  });

  it('skips the backfill when it is disabled', async () => {
    fixture.services.historicalSyncOnConnect = false;
    await connected();
    expect(await kinds()).toEqual(['live']);
  });

  it('starts pull and backfill even after a crash at the first consent', async () => {
    expect(await schedule()).toBe(1);
    expect(await kinds()).toEqual(['backfill', 'live']);
  });
});

describe('the schedule', () => {
  it('pulls each connection at most once per interval', async () => {
    expect(await schedule()).toBe(1);
    expect(await schedule()).toBe(0);
    await workOff();
    later(0.5);
    expect(await schedule()).toBe(0);
    later(0.5);
    expect(await schedule()).toBe(1);
    later(2);
    expect(await schedule()).toBe(0);
  });

  it('schedules connections at different times', async () => {
    for (let index = 0; index < 12; index++) await fixture.consent(await fixture.addUser(), `vendor-${index + 2}`);
    await schedule();
    const { rows } = await fixture.pool.query(`select distinct resume_at from pull_run where kind = 'live'`);
    expect(rows.length).toBeGreaterThan(8);
  });

  it('spreads connections that are due together over half an interval', async () => {
    const count = 300;
    await fixture.pool.query(
      `with u as (insert into health_user (id) select gen_random_uuid() from generate_series(2, $1) returning user_key)
       insert into connection (user_key, provider, access_token, scope, consented_at, backfill_started_at)
       select user_key, 'oura', 'x', 'activity heart', $2, $2 from u`,
      [count, new Date(nowMs - MS_PER_DAY)],
    );
    const rounds: number[] = [];
    const hour = async () => {
      for (let round = 0; round < 12; round++) {
        rounds.push(await schedule());
        await fixture.pool.query('delete from sync_run');
        later(1 / 12);
      }
      return rounds.splice(0);
    };
    expect(await hour()).toEqual([50, 50, 50, 50, 50, 50, 0, 0, 0, 0, 0, 0]);
    expect(await hour()).toEqual([50, 50, 50, 50, 50, 50, 0, 0, 0, 0, 0, 0]);
  });

  it('limits polls to half the quota if connections need more', async () => {
    const cloud = fixture.connections.configurationOf('oura')!.cloud;
    const perHour = (requests: number) => ({ ...cloud.quotas, perApplicationAndDay: 24 * requests });
    // One poll of a connection costs at least three requests.
    Object.assign(cloud, { quotas: perHour(6) });
    expect(await schedule()).toBe(1);
    await workOff();
    later(1);
    expect(await schedule()).toBe(1);
    await workOff();
    Object.assign(cloud, { quotas: perHour(2) });
    later(2.5);
    expect(await schedule()).toBe(0);
    later(0.5);
    expect(await schedule()).toBe(1);
  });

  it('limits polls of disabled, unlinked and ended connections', async () => {
    await fixture.connections.uses.change('oura', { isEnabled: false });
    expect(await schedule()).toBe(0);
    await fixture.connections.uses.change('oura', { isEnabled: true });
    expect(await schedule()).toBe(1);
    await workOff();
    const connection = await fixture.connections.findConnectionById(connectionId);
    await fixture.connections.markAccountState(connection!, 'not_linked');
    later(2);
    expect(await schedule()).toBe(0);
    later(4);
    expect(await schedule()).toBe(1);
    await workOff();
    await fixture.connections.writer.end(fixture.pool, connectionId, 'user_disconnected');
    later(24);
    expect(await schedule()).toBe(0);
  });

  it("polls a connection after the account's older connection has ended", async () => {
    const other = await fixture.consent(await fixture.addUser());
    await fixture.pool.query('update connection set last_synced_at = $2 where id = $1', [other, new Date(nowMs)]);
    expect(await schedule()).toBe(1);
    await workOff();
    await fixture.connections.writer.end(fixture.pool, connectionId, 'user_disconnected');
    later(24);
    expect(await schedule()).toBe(1);
    const { rows } = await fixture.pool.query('select connection_id from pull_run');
    expect(rows).toEqual([{ connection_id: other }]);
  });

  it('polls a webhook provider normally until its subscriber is active', async () => {
    await schedule();
    await workOff();
    await webhookMode('registering');
    later(1);
    expect(await schedule()).toBe(1);
    await workOff();
    await webhookMode('active');
    later(1);
    expect(await schedule()).toBe(0);
  });

  it('polls a manually registered provider until its first notification', async () => {
    await schedule();
    await workOff();
    await webhookMode('unmanaged');
    later(1);
    expect(await schedule()).toBe(1);
    await workOff();
    await fixture.connections.markFirstNotified('oura');
    later(1);
    expect(await schedule()).toBe(0);
  });
});

describe('in webhook mode', () => {
  beforeEach(async () => {
    await schedule();
    await workOff();
    await webhookMode('active');
    later(6);
    await schedule();
    await workOff();
    later(-700 / SECONDS_PER_HOUR);
    await fixture.connections.markNotified([connectionId], new Date(nowMs));
  });

  it('polls only unreported types, every six hours', async () => {
    later(5);
    expect(await schedule()).toBe(0);
    later(1);
    expect(await schedule()).toBe(1);
    expect(await kinds()).toEqual(['live runs']);
  });

  it('polls a type whose last pull failed', async () => {
    await fixture.pool.query(`update connection_data_type set last_outcome = 'failed' where data_type = 'pulse'`);
    later(6);
    await schedule();
    expect(await kinds()).toEqual(['live pulse,runs']);
  });

  it('polls a type with a reported change that was not readable', async () => {
    await fixture.pool.query(
      `insert into provider_notification (provider, provider_user_id, data_type, operation, start_at, end_at, state, received_at)
       values ('oura', 'vendor-1', 'pulse', 'upsert', now(), now(), 'failed', $1)`,
      [new Date(nowMs)],
    );
    later(6);
    await schedule();
    expect(await kinds()).toEqual(['live pulse,runs']);
  });

  it('polls everything after a day of silence', async () => {
    later(25);
    await schedule();
    expect(await kinds()).toEqual(['live']);
  });

  it('accepts four silent days from a vendor that reports every two days', async () => {
    for (const days of [10, 8, 6, 4, 2, 0]) {
      await fixture.pool.query(
        `insert into provider_notification (provider, provider_user_id, data_type, operation, start_at, end_at, state, received_at)
         values ('oura', 'vendor-1', 'steps', 'upsert', now(), now(), 'done', $1)`,
        [new Date(nowMs - days * MS_PER_DAY)],
      );
    }
    later(4 * 24);
    await schedule();
    expect(await kinds()).toEqual(['live runs']);
    await workOff();
    later(3 * 24);
    await schedule();
    expect(await kinds()).toEqual(['live']);
  });
});
