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
  // Nothing here asks in how many windows the past is read.
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
/** Everything that is due and everything that was spread over the next minutes. */
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
  it('a pull begins immediately, and on the first one the past is fetched', async () => {
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

  it('a consent that is not the first one begins a pull and no backfill', async () => {
    await connected({ firstEver: false, accountChanged: false });
    expect(await kinds()).toEqual(['live']);
  });

  it('the past is fetched again where that failed before', async () => {
    vendor.fault = () => ({ code: 'unauthorized', status: 401 });
    await connected();
    await workOff();
    expect(await kinds()).toEqual([]);
    await connected({ firstEver: false, accountChanged: false });
    expect(await kinds()).toEqual(['backfill', 'live']);
  });

  it('the past is left alone where the operator wants that', async () => {
    fixture.services.historicalSyncOnConnect = false;
    await connected();
    expect(await kinds()).toEqual(['live']);
  });

  it('a pull and a backfill begin after a first consent also when the process died before it was notified', async () => {
    expect(await schedule()).toBe(1);
    expect(await kinds()).toEqual(['backfill', 'live']);
  });
});

describe('the schedule', () => {
  it('the schedule pulls each connection once in an interval, not again while its pull waits', async () => {
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

  it('the schedule spreads its pulls', async () => {
    for (let index = 0; index < 12; index++) await fixture.consent(await fixture.addUser(), `vendor-${index + 2}`);
    await schedule();
    const { rows } = await fixture.pool.query(`select distinct resume_at from pull_run where kind = 'live'`);
    expect(rows.length).toBeGreaterThan(8);
  });

  it('connections that are all due together are spread over half an interval, and keep that rhythm', async () => {
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

  it('where the quota is too small for all connections, each is polled as often as half of it allows', async () => {
    const cloud = fixture.connections.configurationOf('oura')!.cloud;
    const perHour = (requests: number) => ({ ...cloud.quotas, perApplicationAndDay: 24 * requests });
    // Of one connection a poll is three requests at least.
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

  it('the schedule leaves out what is switched off, ended, or has no account data for hours', async () => {
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

  it('the schedule polls a provider in webhook mode as before until its subscriber is active', async () => {
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

  it('the schedule polls a provider that an operator registered by hand until its first notification', async () => {
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

  it('every six hours only what the vendor does not report is requested', async () => {
    later(5);
    expect(await schedule()).toBe(0);
    later(1);
    expect(await schedule()).toBe(1);
    expect(await kinds()).toEqual(['live runs']);
  });

  it('in webhook mode a type whose last pull failed is polled too', async () => {
    await fixture.pool.query(`update connection_data_type set last_outcome = 'failed' where data_type = 'pulse'`);
    later(6);
    await schedule();
    expect(await kinds()).toEqual(['live pulse,runs']);
  });

  it('a connection that has been silent for a day is asked for everything', async () => {
    later(25);
    await schedule();
    expect(await kinds()).toEqual(['live']);
  });

  it('a connection that is usually notified of every two days is not silent after four', async () => {
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
