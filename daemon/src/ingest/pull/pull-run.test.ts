import { MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isConsistent } from '../../../../test/support/item-counts.js';
import { openPullFixture, type PullFixture } from '../../../../test/support/pull-fixture.js';
import { queuePull } from './open-runs.js';

const STEPS = 80;
const PULSE = 1;
const BPM = 'heart_rate 15..350 bpm';
let pulls: PullFixture;
let { vendor, fixture, user, connectionId, pull } = {} as PullFixture;
beforeEach(async () => {
  pulls = await openPullFixture();
  ({ vendor, fixture, user, connectionId, pull } = pulls);
});
afterEach(() => pulls.close());

const later = (hours: number) => pulls.letPass(hours * MS_PER_HOUR);
const count = (facts: Record<string, unknown> = {}) => ({
  status: 'success',
  inserted: 0,
  updated: 0,
  deleted: 0,
  received: 0,
  rejected: 0,
  windows: expect.any(Number),
  items: expect.toSatisfy(isConsistent),
  ...facts,
});

describe('the first pull', () => {
  it('reports the number of rejected values per type and violated limit', async () => {
    for (const [hour, value] of [
      ['02', 351],
      ['08', 350],
      ['09', 14],
    ] as const) {
      vendor.put('pulse', `2026-03-10T${hour}:00:00Z`, value);
    }
    vendor.put('runs', '2026-03-10T07:00:00Z', 15 * 24 * 60);
    const { status, metadata } = await pull();
    expect(status).toBe('success');
    expect(metadata).toMatchObject({ rejected: 3, items: { inserted: 1, rejected: 3 } });
    expect(metadata.data_types).toEqual({
      steps: count(),
      pulse: count({ inserted: 1, received: 3, rejected: 2, rejected_by_reason: { [`implausible:${BPM}`]: 2 } }),
      runs: count({ received: 1, rejected: 1, rejected_by_reason: { 'implausible:workout 1 s..14 days': 1 } }),
    });
    expect(await fixture.samplesOf(user.userKey)).toEqual([`2026-03-10 08:00 ${PULSE} 350`]);
  });

  it('stores one day of data', async () => {
    vendor.put('steps', '2026-03-09T12:30:00Z', 100);
    vendor.put('steps', '2026-03-08T12:30:00Z', 7);
    vendor.put('pulse', '2026-03-10T08:00:00Z', 60);
    const run = await pull();
    expect(run).toMatchObject({ source: 'pull', stage: 'completed', status: 'success' });
    expect(run.run_id).toMatch(/^pull_[0-9a-f]{16}$/);
    expect(run.metadata.data_types).toEqual({
      steps: count({ inserted: 1, received: 1 }),
      pulse: count({ inserted: 1, received: 1 }),
      runs: count(),
    });
    expect(await fixture.samplesOf(user.userKey)).toEqual([
      `2026-03-09 12:30 ${STEPS} 100`,
      `2026-03-10 08:00 ${PULSE} 60`,
    ]);
    expect(await fixture.cursorsOf(connectionId)).toEqual({
      steps: '2026-03-08T12:00:00.000Z',
      pulse: '2026-03-08T12:00:00.000Z',
      runs: '2026-03-07T12:00:00.000Z',
    });
    const connection = await fixture.connections.findConnectionById(connectionId);
    expect(connection?.lastSyncedAt).toBeInstanceOf(Date);
  });
});

describe('a pull', () => {
  it('applies late, changed and deleted vendor data without duplicates', async () => {
    vendor.put('steps', '2026-03-10T08:00:00Z', 100);
    vendor.put('steps', '2026-03-10T09:00:00Z', 50);
    await pull();
    later(1);
    vendor.put('steps', '2026-03-10T08:00:00Z', 120);
    vendor.remove('steps', '2026-03-10T09:00:00Z');
    vendor.put('steps', '2026-03-09T15:00:00Z', 30);
    const run = await pull();
    expect(run.metadata.data_types.steps).toEqual(count({ inserted: 1, updated: 1, deleted: 1, received: 2 }));
    expect(await fixture.samplesOf(user.userKey)).toEqual([
      `2026-03-09 15:00 ${STEPS} 30`,
      `2026-03-10 08:00 ${STEPS} 120`,
    ]);
    later(1);
    expect((await pull()).metadata).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
  });

  it('reads the newest windows first', async () => {
    await pull('backfill', new Date('2026-03-01T00:00:00Z'));
    const starts = vendor.callsOf('steps').map(({ startMs }) => startMs);
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
    expect(starts.length).toBeGreaterThanOrEqual(9);
  });
});

describe('a pull under an accepted cache limit', () => {
  it('does not request days that may not be stored', async () => {
    const { terms } = fixture.connections;
    const { id } = vendor.provider();
    await terms.change(id, { cacheDays: { value: 3, reason: 'Contract' } }, 'ada@clinic.example');
    await terms.change(id, { cacheDays: { answer: 'accepted' } }, 'ada@clinic.example');
    await pull('backfill', new Date('2026-02-01T00:00:00Z'));
    const starts = vendor.callsOf('steps').map(({ startMs }) => startMs);
    expect(Math.min(...starts)).toBe(Date.parse('2026-03-05T12:00:00Z'));
  });
});

describe('a pull that starts after the cursor', () => {
  it('keeps the cursor to avoid skipping a gap', async () => {
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    later(240);
    await pull('manual', new Date(pulls.now() - MS_PER_HOUR));
    expect(await fixture.cursorsOf(connectionId)).toEqual(before);
  });
});

describe('a cursor', () => {
  it('does not move back when the clock was set back', async () => {
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    later(-5);
    expect((await pull()).status).toBe('success');
    expect(await fixture.cursorsOf(connectionId)).toEqual(before);
  });

  it('does not move back when an older, delayed backfill ends', async () => {
    vendor.fault = () => ({ code: 'rate_limited', status: 429, retryAfterMs: MS_PER_HOUR });
    await pull('backfill', new Date('2026-03-01T00:00:00Z'));
    vendor.fault = () => undefined;
    later(0.5);
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    later(2);
    await fixture.work(connectionId);
    expect((await fixture.runsOf(user.userKey)).map(({ source, status }) => `${source} ${status}`)).toEqual([
      'backfill success',
      'pull success',
    ]);
    expect(await fixture.cursorsOf(connectionId)).toEqual(before);
  });

  it('moves after a pull that starts exactly at the cursor', async () => {
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    later(72);
    await pull('manual', new Date(before.steps ?? ''));
    const after = await fixture.cursorsOf(connectionId);
    expect(after.steps).toBe('2026-03-11T12:00:00.000Z');
    expect(after.pulse).toBe('2026-03-11T12:00:00.000Z');
  });
});

describe('a data type', () => {
  it('does not move its cursor if only older windows fail', async () => {
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    later(72);
    vendor.put('steps', '2026-03-10T15:00:00Z', 10);
    vendor.fault = (dataType, { startMs }) =>
      dataType === 'steps' && startMs < Date.parse('2026-03-12T00:00:00Z')
        ? { code: 'invalid_request', status: 400 }
        : undefined;
    expect((await pull()).metadata.data_types.steps.status).toBe('partial');
    expect((await fixture.cursorsOf(connectionId)).steps).toBe(before.steps);
    vendor.fault = () => undefined;
    expect((await pull()).status).toBe('success');
    expect(await fixture.samplesOf(user.userKey)).toContain(`2026-03-10 15:00 ${STEPS} 10`);
  });

  it('keeps its cursor if its failure makes the run partial', async () => {
    await pull();
    const before = await fixture.cursorsOf(connectionId);
    later(5);
    vendor.put('steps', '2026-03-10T15:00:00Z', 10);
    vendor.put('pulse', '2026-03-10T15:00:00Z', 70);
    vendor.fault = (dataType) =>
      dataType === 'pulse' ? { code: 'invalid_request', status: 400, reason: 'BAD' } : undefined;
    const run = await pull();
    expect(run).toMatchObject({ stage: 'completed', status: 'partial' });
    expect(run.metadata.data_types.pulse).toEqual(
      count({ status: 'failed', error: 'invalid_request 400 BAD', windows: 0 }),
    );
    const after = await fixture.cursorsOf(connectionId);
    expect(after.pulse).toBe(before.pulse);
    expect(after.steps).not.toBe(before.steps);
    vendor.fault = () => undefined;
    later(1);
    expect((await pull()).status).toBe('success');
    expect(await fixture.samplesOf(user.userKey)).toContain(`2026-03-10 15:00 ${PULSE} 70`);
  });

  it('fails the run without recording a sync if every type fails', async () => {
    vendor.fault = () => ({ code: 'invalid_request', status: 400 });
    expect(await pull()).toMatchObject({ stage: 'failed', status: 'failed', error: expect.any(String) });
    expect((await fixture.connections.findConnectionById(connectionId))?.lastSyncedAt).toBeUndefined();
    expect(await fixture.cursorsOf(connectionId)).toEqual({ steps: undefined, pulse: undefined, runs: undefined });
  });

  it('is not requested without consent', async () => {
    connectionId = await fixture.consent(user, 'vendor-1', 'activity');
    const run = await pull();
    expect(vendor.callsOf('pulse')).toEqual([]);
    expect(run.status).toBe('success');
    expect(run.metadata.data_types.pulse).toMatchObject({ status: 'skipped', error: 'scope_missing' });
  });

  it('is requested in shorter windows if the range is too long', async () => {
    vendor.put('steps', '2026-03-09T13:00:00Z', 5);
    vendor.fault = (_, { startMs, endMs }) =>
      endMs - startMs > 6 * MS_PER_HOUR
        ? { code: 'range_too_long', status: 400, longestMs: 6 * MS_PER_HOUR }
        : undefined;
    expect((await pull()).status).toBe('success');
    expect(await fixture.samplesOf(user.userKey)).toEqual([`2026-03-09 13:00 ${STEPS} 5`]);
    expect(vendor.callsOf('steps').filter(({ startMs, endMs }) => endMs - startMs > 6 * MS_PER_HOUR)).toHaveLength(1);
  });

  it('is requested only twice if every window length is rejected', async () => {
    vendor.fault = (dataType, { startMs, endMs }) =>
      dataType === 'steps' && endMs > startMs ? { code: 'range_too_long', status: 400, longestMs: 0 } : undefined;
    expect(await pull()).toMatchObject({ status: 'in_progress' });
    expect(vendor.callsOf('steps')).toHaveLength(2);
    expect(vendor.callsOf('pulse').length).toBeGreaterThan(0);
  });
});

describe('an exhausted vendor quota', () => {
  it('delays the run for the requested time without blocking a worker', async () => {
    vendor.fault = () => ({ code: 'rate_limited', status: 429, retryAfterMs: 90_000 });
    expect(await pull()).toMatchObject({ stage: 'started', status: 'in_progress' });
    expect(vendor.calls).toHaveLength(1);
    await fixture.work(connectionId);
    expect(vendor.calls).toHaveLength(1);
    expect(await fixture.waiting()).toEqual([]);
    vendor.fault = () => undefined;
    pulls.letPass(89_000);
    expect(await fixture.waiting()).toEqual([]);
    pulls.letPass(20_000);
    expect(await fixture.waiting()).toEqual([connectionId]);
    await fixture.work(connectionId);
    expect((await fixture.runsOf(user.userKey))[0]).toMatchObject({ stage: 'completed', status: 'success' });
  });

  it('enqueues the job after a short wait without the sweeper', async () => {
    const queued = new Promise<string>((resolve) => {
      fixture.queued.again = async (queuedId) => {
        resolve(queuedId);
        return true;
      };
    });
    vendor.fault = () => ({ code: 'rate_limited', status: 429, retryAfterMs: 2_000 });
    expect(await pull('manual')).toMatchObject({ status: 'in_progress' });
    expect(await queued).toBe(connectionId);
  });

  it('fails the run if the quota never refills', async () => {
    vendor.fault = () => ({ code: 'rate_limited', status: 429 });
    await pull();
    for (let turn = 0; turn < 40; turn++) {
      later(1);
      await fixture.work(connectionId);
    }
    expect((await fixture.runsOf(user.userKey))[0]).toMatchObject({ stage: 'failed', status: 'failed' });
  });
});

describe('a server that fails', () => {
  it('for one data type does not block other data types', async () => {
    vendor.put('pulse', '2026-03-10T08:00:00Z', 60);
    vendor.fault = (dataType) => (dataType === 'steps' ? { code: 'unavailable', status: 500 } : undefined);
    expect(await pull()).toMatchObject({ stage: 'started', status: 'in_progress' });
    expect(await fixture.samplesOf(user.userKey)).toHaveLength(1);
    vendor.fault = () => undefined;
    vendor.put('steps', '2026-03-10T08:00:00Z', 4);
    later(1);
    await fixture.work(connectionId);
    expect((await fixture.runsOf(user.userKey))[0]).toMatchObject({ status: 'success' });
    expect(await fixture.samplesOf(user.userKey)).toHaveLength(2);
  });

  it('makes the run partial after repeated failures', async () => {
    vendor.fault = (dataType) => (dataType === 'steps' ? { code: 'unavailable', status: 502 } : undefined);
    await pull();
    for (let turn = 0; turn < 10; turn++) {
      later(1);
      await fixture.work(connectionId);
    }
    const [run] = await fixture.runsOf(user.userKey);
    expect(run).toMatchObject({ stage: 'completed', status: 'partial' });
    expect(run.metadata.data_types.steps).toMatchObject({ status: 'failed', error: 'unavailable 502' });
    expect(vendor.callsOf('steps').length).toBeLessThan(10);
  });
});

it('completes a long live pull although every second request fails', async () => {
  vendor.windowMs = 2 * MS_PER_HOUR;
  let requests = 0;
  vendor.fault = () => (requests++ % 2 === 0 ? { code: 'unavailable', status: 503 } : undefined);
  await pull();
  let turns = 0;
  while ((await fixture.runsOf(user.userKey))[0]?.status === 'in_progress' && turns++ < 60) {
    later(1);
    await fixture.work(connectionId);
  }
  expect(await fixture.runsOf(user.userKey)).toMatchObject([{ status: 'success' }]);
  // Five consecutive failures would end the run.
  expect(turns).toBeGreaterThan(5);
});

describe('an account without data', () => {
  it('blocks pull and backfill until the account is linked', async () => {
    vendor.put('steps', '2026-02-10T08:00:00Z', 9);
    vendor.accountFault = () => ({ code: 'account_not_linked', status: 400 });
    await pull('backfill', new Date('2026-02-01T00:00:00Z'));
    const run = await pull();
    expect(run).toMatchObject({ stage: 'failed', error: 'The account has no health data at the vendor yet.' });
    expect((await fixture.connections.findConnectionById(connectionId))?.accountState).toBe('not_linked');
    const calls = vendor.accountCalls;
    later(1);
    await fixture.work(connectionId);
    expect(vendor.accountCalls).toBe(calls);
    vendor.accountFault = () => undefined;
    expect((await pull()).status).toBe('success');
    expect((await fixture.connections.findConnectionById(connectionId))?.accountState).toBe('linked');
    expect((await fixture.runsOf(user.userKey)).map(({ source, status }) => [source, status])).toEqual([
      ['backfill', 'success'],
      ['pull', 'failed'],
      ['pull', 'success'],
    ]);
    expect(await fixture.samplesOf(user.userKey)).toEqual([`2026-02-10 08:00 ${STEPS} 9`]);
  });
});

describe('an interrupted run', () => {
  it('resumes without reading stored windows twice', async () => {
    for (let day = 1; day <= 9; day++) vendor.put('steps', `2026-03-0${day}T08:00:00Z`, day);
    let readings = 0;
    vendor.fault = () => (++readings === 8 ? new Error('the process is killed') : undefined);
    await expect(pull('backfill', new Date('2026-03-01T00:00:00Z'))).rejects.toThrow('killed');
    const before = vendor.calls.length;
    await fixture.work(connectionId);
    const [run] = await fixture.runsOf(user.userKey);
    expect(run).toMatchObject({ source: 'backfill', status: 'success' });
    expect(run.metadata.data_types.steps).toMatchObject({ inserted: 9, windows: 10 });
    expect(vendor.calls.length - before).toBe(30 - 7);
    expect(await fixture.samplesOf(user.userKey)).toHaveLength(9);
  });

  it('is left to the sweeper after a stop signal', async () => {
    const stop = new AbortController();
    vendor.fault = () => {
      stop.abort(new Error('stopping'));
      return undefined;
    };
    const connection = await fixture.connections.findConnectionById(connectionId);
    await queuePull(fixture.services, connection!, { kind: 'live' });
    await expect(fixture.work(connectionId, stop.signal)).rejects.toThrow('stopping');
    expect(await fixture.samplesOf(user.userKey)).toEqual([]);
    expect(await fixture.waiting()).toEqual([connectionId]);
  });
});

describe('a backfill', () => {
  it('neither moves the cursors nor records a sync', async () => {
    await pull('backfill', new Date('2026-03-01T00:00:00Z'));
    expect(await fixture.cursorsOf(connectionId)).toEqual({});
    expect((await fixture.connections.findConnectionById(connectionId))?.lastSyncedAt).toBeUndefined();
  });

  it('yields to more urgent runs between two windows', async () => {
    const connection = (await fixture.connections.findConnectionById(connectionId))!;
    vendor.meanwhile = async () => {
      vendor.meanwhile = async () => {};
      await queuePull(fixture.services, connection, { kind: 'manual' });
    };
    await pull('backfill', new Date('2026-03-01T00:00:00Z'));
    const { rows } = await fixture.pool.query(
      `select metadata->>'is_historical' as past, status from sync_run where user_key = $1 order by ended_at`,
      [user.userKey],
    );
    expect(rows).toEqual([
      { past: 'false', status: 'success' },
      { past: 'true', status: 'success' },
    ]);
  });
});
