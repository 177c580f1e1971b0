import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { MS_PER_DAY } from '@healthd/model';
import { PushReader } from '@healthd/providers';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartRates, payload, reading } from '../../../../test/api/push-payloads.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { newUser, recordWriter, type TestUser } from '../../../../test/support/recorded-user.js';
import { recordIfOn, setFeed } from '../../feed/index.js';
import { onCommit } from '../../platform/database/index.js';
import { createSyncNotifier, createSyncRuns, findRun } from '../../runs/index.js';
import { acceptPush } from './accept-push.js';
import { drainInbox } from './drain-inbox.js';
import type { DrainServices } from './drain-services.js';
import { InboxCapacity } from './inbox-capacity.js';
import { processGroup } from './process-group.js';
import { type WaitingBatch, waitingBatches } from './waiting-batches.js';

const MIB = 2 ** 20;
const FAULTY = new URL('../../../../test/support/looping-readings.mjs', import.meta.url);
/** Word that crashes the reading thread if a body contains it. */
const DEADLY = 'deadly';

let database: TestDatabase;
let services: DrainServices;
let reader: PushReader;
let user: TestUser;
beforeAll(async () => {
  database = await createTestDatabase();
  reader = new PushReader({ program: FAULTY });
  const { pool } = database;
  const runs = createSyncRuns(pool, createSyncNotifier(pool));
  services = { pool, runs, writer: recordWriter(database), reader, maxBytes: 64 * MIB };
});
beforeEach(async () => {
  user = await newUser(database);
});
afterAll(async () => {
  reader.close();
  await database.drop();
});

/** Stores a payload as a waiting batch, as the service does for a device. */
function received(body: object | string, encoding: 'identity' | 'gzip' = 'identity'): Promise<string> {
  const { pool, runs } = services;
  const room = new InboxCapacity(pool, 2 ** 30);
  const scanned = { kind: 'object', provider: 'apple' } as const;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
  const push = { body: bytes, encoding, sha256: Buffer.alloc(32), scanned };
  return acceptPush({ pool, runs, room }, user, 'apple', push, { idempotencyKey: undefined, device: '' });
}

/** Returns a payload with one heart rate in the given minute. */
function minuteOf(minute: number, note = ''): object {
  const from = `2026-11-01T00:${String(minute).padStart(2, '0')}:00Z`;
  return { ...payload('apple', { records: heartRates(1, from) }), note };
}

const drain = () => drainInbox(services, user.userKey, new AbortController().signal);

/** Sets the number of attempts and the age of a batch. */
async function letWait(batchId: string, attempts: number, age: string): Promise<void> {
  await services.pool.query(
    'update device_batch set attempts = $2, received_at = now() - $3::interval where batch_id = $1',
    [batchId, attempts, age],
  );
}

/** Returns the number of the user's stored readings. */
async function storedCount(): Promise<number> {
  const { rows } = await services.pool.query<{ n: number }>(
    'select count(*)::int as n from sample where user_key = $1',
    [user.userKey],
  );
  return rows[0]?.n ?? 0;
}

/** Drains the inbox and runs `happens` before each body is read. */
function drainWhile(happens: () => Promise<unknown>, signal = new AbortController().signal) {
  const read: DrainServices['reader']['read'] = async (request) => {
    await happens();
    return reader.read(request);
  };
  return drainInbox({ ...services, reader: { read } }, user.userKey, signal);
}

/** Waits until another connection waits for a lock of this transaction. */
async function waitsForLock(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = () =>
    services.pool.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [rows[0]?.pid]);
  await expect.poll(async () => (await waiting()).rowCount, { timeout: 10_000 }).toBe(1);
}

async function statesOf(...batchIds: string[]) {
  const { rows } = await services.pool.query<{ batch_id: string; shown: string }>(
    "select batch_id, state || ' after ' || attempts as shown from device_batch where batch_id = any ($1::uuid[])",
    [batchIds],
  );
  return batchIds.map((id) => rows.find((row) => row.batch_id === id)?.shown);
}

it('runs no additional statement while the feed is off', async () => {
  const { pool } = services;
  await setFeed(pool, false);
  const drained = async (minute: number): Promise<string[]> => {
    await received(minuteOf(minute));
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await drain();
    const texts = query.mock.calls.map(([input]: unknown[]) =>
      typeof input === 'string' ? input : (input as { text: string }).text,
    );
    query.mockRestore();
    // Omits notifications, because their number depends on time.
    return texts.filter((text) => !text.includes('pg_notify'));
  };
  onCommit(pool, async () => undefined);
  await drained(0);
  const unrecorded = await drained(1);
  recordIfOn(pool);
  const recorded = await drained(2);
  onCommit(pool, async () => undefined);
  expect(unrecorded.filter((text) => text.includes('is_feed_on()')).length).toBeGreaterThan(0);
  expect(recorded).toEqual(unrecorded);
});

describe('a batch that was started repeatedly', () => {
  it.each([
    ['many starts in a short time', 40, '15 minutes', 'success'],
    ['few starts over a long time', 9, '3 days', 'success'],
    ['many starts over a longer time', 10, '31 minutes', 'failed'],
  ] as const)('after %s (%i in %s) has the status %s', async (_how, attempts, age, status) => {
    const batchId = await received(minuteOf(0));
    await letWait(batchId, attempts, age);
    expect(await drain()).toEqual({ ended: 1, more: false });
    const run = await findRun(services.pool, batchId);
    expect(run).toMatchObject({ status });
    if (status === 'failed') expect(run).toMatchObject({ metadata: { reason: 'gave_up' } });
  });

  it('is stored as soon as the database accepts it', async () => {
    const batchId = await received(minuteOf(0));
    await services.pool.query(`create function refuse_samples() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`);
    await services.pool.query(
      'create trigger refuse_samples before insert on sample for each row execute function refuse_samples()',
    );
    for (let attempt = 1; attempt <= 12; attempt++) {
      await expect(drain()).rejects.toThrow('no room');
      expect(await statesOf(batchId)).toEqual([`received after ${attempt}`]);
    }
    await services.pool.query('drop trigger refuse_samples on sample');
    await drain();
    expect(await statesOf(batchId)).toEqual(['done after 13']);
  });
});

describe('a batch that kills the reading thread', () => {
  it('keeps its body after three failed reads', async () => {
    const batchId = await received(minuteOf(0, DEADLY));
    await expect(drain()).rejects.toMatchObject({ code: 'push_reader_failed' });
    await expect(drain()).rejects.toMatchObject({ code: 'push_reader_failed' });
    expect(await statesOf(batchId)).toEqual(['received after 2']);
    expect(await drain()).toEqual({ ended: 1, more: false });
    expect(await statesOf(batchId)).toEqual(['failed after 3']);
    expect(await findRun(services.pool, batchId)).toMatchObject({ status: 'failed', metadata: { reason: 'gave_up' } });
    const { rows } = await services.pool.query(
      'select body is not null as kept from device_batch where batch_id = $1',
      [batchId],
    );
    expect(rows).toEqual([{ kept: true }]);
  });

  it('does not affect earlier and later batches', async () => {
    const before = await received(minuteOf(0));
    const deadly = await received(minuteOf(1, DEADLY));
    const after = await received(minuteOf(2));
    await expect(drain()).rejects.toMatchObject({ code: 'push_reader_failed' });
    expect(await statesOf(before, deadly, after)).toEqual(Array(3).fill('received after 1'));
    await expect(drain()).rejects.toMatchObject({ code: 'push_reader_failed' });
    expect(await statesOf(before, deadly, after)).toEqual(['done after 2', 'received after 2', 'received after 1']);
    expect(await drain()).toEqual({ ended: 2, more: false });
    expect(await statesOf(deadly, after)).toEqual(['failed after 3', 'done after 2']);
  });

  it('is not grouped with adjacent new batches', async () => {
    const before = await received(minuteOf(0));
    const deadly = await received(minuteOf(1, DEADLY));
    const after = await received(minuteOf(2));
    await letWait(deadly, 1, '1 minute');
    await expect(drain()).rejects.toMatchObject({ code: 'push_reader_failed' });
    expect(await statesOf(before, deadly, after)).toEqual(['done after 1', 'received after 2', 'received after 0']);
  });
});

describe('draining a burst of batches', () => {
  /** Returns the number of batches that each transaction ended. */
  async function groups(): Promise<number[]> {
    const { rows } = await services.pool.query<{ n: number }>(
      `select count(*)::int as n from device_batch where user_key = $1 and state = 'done' group by xmin::text
        order by min(seq)`,
      [user.userKey],
    );
    return rows.map(({ n }) => n);
  }

  it('writes small batches in order, sixteen at a time', async () => {
    const ids: string[] = [];
    for (let minute = 0; minute < 20; minute++) ids.push(await received(minuteOf(minute)));
    expect((await waitingBatches(services.pool, user.userKey, 100)).map(({ batchId }) => batchId)).toEqual(ids);
    expect(await drain()).toEqual({ ended: 20, more: false });
    expect(await groups()).toEqual([16, 4]);
  });

  it('writes large batches in groups of at most four mebibytes', async () => {
    for (let minute = 0; minute < 3; minute++) await received(minuteOf(minute, ' '.repeat(1.5 * MIB)));
    await drain();
    expect(await groups()).toEqual([2, 1]);
  });

  it('stores the value of the last batch if batches arrive simultaneously', async () => {
    for (let bpm = 60; bpm < 80; bpm++) {
      const [record] = heartRates(1);
      await received(payload('apple', { records: [{ ...record, value: bpm }] }));
    }
    await services.pool.query('update device_batch set received_at = now() where user_key = $1', [user.userKey]);
    await drain();
    const { rows } = await services.pool.query('select value from sample where user_key = $1', [user.userKey]);
    expect(rows).toEqual([{ value: 79 }]);
  });

  it('groups compressed batches by estimated unpacked size', async () => {
    // Random digits; 120 kB when compressed.
    const noise = () => randomBytes(120_000).toString('hex');
    for (let minute = 0; minute < 4; minute++) await received(minuteOf(minute, noise()), 'gzip');
    await drain();
    expect(await groups()).toEqual([2, 2]);
  });

  it('writes a batch above the group size in its own transaction', async () => {
    await received(minuteOf(0, ' '.repeat(5 * MIB)));
    await received(minuteOf(1));
    expect(await drain()).toEqual({ ended: 2, more: false });
    expect(await groups()).toEqual([1, 1]);
  });

  it('reports a separate outcome for each intact and broken batch', async () => {
    const bodies = [
      payload('apple', { records: heartRates(1) }),
      '{"provider":"apple","data":',
      payload('apple', { records: heartRates(2, '2026-11-02T00:00:00Z') }),
      payload('apple', { records: [...heartRates(3, '2026-11-03T00:00:00Z'), 5] }),
      payload('apple', { records: [5] }),
    ];
    const ids: string[] = [];
    for (const body of bodies) ids.push(await received(body));
    await drain();
    const ended = await Promise.all(ids.map((id) => findRun(services.pool, id)));
    expect(ended.map((run) => [run?.status, run?.metadata.records_saved, run?.metadata.dropped_count])).toEqual([
      ['success', 1, 0],
      ['failed', 0, 0],
      ['success', 2, 0],
      ['partial', 3, 1],
      ['failed', 0, 1],
    ]);
    expect(ended[1]?.metadata).toMatchObject({ reason: 'envelope_invalid' });
    const { rows } = await services.pool.query(
      'select state, body is not null as kept from device_batch where user_key = $1 order by seq',
      [user.userKey],
    );
    expect(rows).toEqual([
      { state: 'done', kept: false },
      { state: 'failed', kept: true },
      { state: 'done', kept: false },
      { state: 'done', kept: true },
      { state: 'failed', kept: true },
    ]);
  });
});

describe("draining a user's inbox", () => {
  it('reports remaining work at its time limit', async () => {
    const batchId = await received(minuteOf(0));
    const over = performance.now() - 1;
    expect(await drainInbox(services, user.userKey, new AbortController().signal, over)).toEqual({
      ended: 0,
      more: true,
    });
    expect(await statesOf(batchId)).toEqual(['received after 0']);
    expect(await drainInbox(services, user.userKey, AbortSignal.abort(), over).catch(() => 'stopped')).toBe('stopped');
  });

  it('reports no remaining work for an empty inbox, even after the limit', async () => {
    const over = performance.now() - 1;
    expect(await drainInbox(services, user.userKey, new AbortController().signal, over)).toEqual({
      ended: 0,
      more: false,
    });
  });

  it('is finished if the user is erased during processing', async () => {
    await received(minuteOf(0));
    const erase = async () => {
      await services.pool.query('delete from user_state where user_key = $1', [user.userKey]);
      await services.pool.query('delete from health_user where user_key = $1', [user.userKey]);
    };
    expect(await drainWhile(erase)).toEqual({ ended: 0, more: false });
  });

  it('is finished if the bodies are erased before they are read', async () => {
    await received(minuteOf(0));
    await services.pool.query('update device_batch set body = null where user_key = $1', [user.userKey]);
    expect(await drain()).toEqual({ ended: 0, more: false });
    await services.pool.query('delete from device_batch where user_key = $1', [user.userKey]);
  });

  it('stores no part of a body if a stop interrupts the read', async () => {
    const batchId = await received(minuteOf(0));
    const stop = new AbortController();
    await expect(drainWhile(async () => stop.abort(new Error('stopping')), stop.signal)).rejects.toThrow('stopping');
    expect(await statesOf(batchId)).toEqual(['received after 1']);
    expect(await storedCount()).toBe(0);
    await drain();
    expect(await statesOf(batchId)).toEqual(['done after 2']);
    expect(await storedCount()).toBe(1);
  });

  it('keeps a batch despite failures that its body did not cause', async () => {
    const batchId = await received(minuteOf(0));
    const outage = () => Promise.reject(new Error('no memory for a thread'));
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(drainWhile(outage)).rejects.toThrow('no memory');
      expect(await statesOf(batchId)).toEqual([`received after ${attempt}`]);
    }
    await drain();
    expect(await storedCount()).toBe(1);
  });

  it("publishes each batch's queued, started and ended events once, in order", async () => {
    const reported = await received(minuteOf(0));
    const untold = await received(minuteOf(1));
    // Simulates another writer that held the user's row while the batch arrived.
    await services.pool.query('delete from sync_event where run_id = $1', [untold]);
    await services.pool.query('update device_batch set queued_told = false where batch_id = $1', [untold]);
    await drain();
    for (const batchId of [reported, untold]) {
      const { rows } = await services.pool.query<{ stage: string }>(
        "select event ->> 'stage' as stage from sync_event where run_id = $1 order by seq",
        [batchId],
      );
      expect(rows.map(({ stage }) => stage)).toEqual(['queued', 'started', 'completed']);
    }
  });
});

describe('a batch that waited for days', () => {
  it('rejects items dated seven days after its arrival', async () => {
    const at = (daysAgo: number) => new Date(Date.now() - daysAgo * MS_PER_DAY).toISOString();
    const pulse = (daysAgo: number) => reading('HKQuantityTypeIdentifierHeartRate', at(daysAgo), 70, 'count/min');
    const batchId = await received(payload('apple', { records: [pulse(9), pulse(1)] }));
    await letWait(batchId, 0, '8 days');
    await drain();
    expect(await findRun(services.pool, batchId)).toMatchObject({
      status: 'partial',
      metadata: { records_saved: 1, rejected: [{ index: 1, field: 'startDate', code: 'implausible' }] },
    });
  });
});

describe('a batch that is processed again', () => {
  const pulse = (value: number) => payload('apple', { records: [{ ...heartRates(1)[0], value }] });
  const stored = async () =>
    (await services.pool.query('select value from sample where user_key = $1 order by start_at', [user.userKey])).rows;
  /** Makes a waiting batch look like an ended batch whose processing is requested again. */
  const again = (batchId: string) =>
    services.pool.query(
      "update device_batch set retried_at = now(), received_at = received_at - interval '1 minute' where batch_id = $1",
      [batchId],
    );

  const process = (how: DrainServices, batch: WaitingBatch | undefined) =>
    processGroup(how, user.userKey, [batch as WaitingBatch], new AbortController().signal);

  it('is processed alone without overwriting newer data', async () => {
    const newer = await received(pulse(80));
    await drain();
    const old = await received(pulse(50));
    await again(old);
    const fresh = await received(minuteOf(1));
    const seen: (string | undefined)[][] = [];
    await drainWhile(async () => seen.push(await statesOf(newer, old, fresh)));
    expect(seen).toEqual([
      ['done after 1', 'received after 1', 'received after 0'],
      ['done after 1', 'done after 1', 'received after 1'],
    ]);
    expect(await stored()).toEqual([{ value: 80 }, { value: 60 }]);
  });

  it('keeps newer data that another transaction stores concurrently', async () => {
    const old = await received(pulse(50));
    await again(old);
    const newer = await received(pulse(80));
    const [oldBatch, newerBatch] = await waitingBatches(services.pool, user.userKey, 2);
    expect([oldBatch?.batchId, newerBatch?.batchId]).toEqual([old, newer]);
    let other: Promise<void> | undefined;
    /** Writes the newer batch, and commits it when the retry waits for the user's lock. */
    const writeNewer = (): Promise<void> =>
      new Promise((resolve) => {
        const writer: DrainServices['writer'] = {
          threadFor: (batches) => services.writer.threadFor(batches),
          async writeAllIn(client, ...rest) {
            const results = await services.writer.writeAllIn(client, ...rest);
            resolve();
            await waitsForLock(client);
            return results;
          },
        };
        other = process({ ...services, writer }, newerBatch);
      });
    const read: DrainServices['reader']['read'] = async (request) => {
      await writeNewer();
      return reader.read(request);
    };
    await process({ ...services, reader: { read } }, oldBatch);
    await other;
    expect(await statesOf(newer, old)).toEqual(['done after 1', 'done after 1']);
    expect(await stored()).toEqual([{ value: 80 }]);
  });

  it('is stored if no newer data arrived', async () => {
    const old = await received(pulse(50));
    await again(old);
    await drain();
    expect(await stored()).toEqual([{ value: 50 }]);
  });
});

describe('a batch of a disconnected provider', () => {
  it('is rejected without storing its items or its body', async () => {
    const rejectedId = await received(minuteOf(0));
    await services.pool.query(
      `insert into connection (user_key, provider, status, status_reason)
       values ($1, 'apple', 'revoked', 'user_disconnected')`,
      [user.userKey],
    );
    expect(await drain()).toEqual({ ended: 1, more: false });
    expect(await findRun(services.pool, rejectedId)).toMatchObject({
      status: 'failed',
      metadata: { reason: 'connection_revoked' },
    });
    expect(await storedCount()).toBe(0);
    const { rows } = await services.pool.query('select state, body from device_batch where batch_id = $1', [
      rejectedId,
    ]);
    expect(rows).toEqual([{ state: 'done', body: null }]);
  });
});
