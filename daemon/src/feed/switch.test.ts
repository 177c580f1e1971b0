import { setTimeout as sleep } from 'node:timers/promises';
import { batchOf, dayNumber, fromDayNumber, type HealthRecord } from '@healthd/model';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import {
  createPool,
  DatabaseChannels,
  inTransaction,
  lockUser,
  lockUserForErasure,
  onCommit,
} from '../platform/database/index.js';
import { changesOf } from '../store/facts/changes.js';
import { CHANGE } from '../store/facts/index.js';
import { createVault } from '../vault/index.js';
import { setFeed } from './epoch.js';
import { Feed } from './feed.js';
import { addEvent, eraseChanges, recordIfOn, storeChanges } from './outbox.js';
import { readFeed } from './read-changes.js';
import { startSequencer } from './sequencer.js';

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const heartRate = (minute: number): HealthRecord => ({
  kind: 'sample',
  sampleKind: 'sample',
  source: { provider: 'polar', writer: 'cloud' },
  typeId: 1,
  startMs: Date.UTC(2026, 2, 10) + minute * 60_000,
  offsetMinutes: 60,
  value: 60,
});

async function positionOf(userKey: number): Promise<number> {
  const { rows } = await fixture.pool.query<{ position: number }>(
    'select position from user_state where user_key = $1',
    [userKey],
  );
  return rows[0]?.position ?? 0;
}

async function epoch(): Promise<string | undefined> {
  const { rows } = await fixture.pool.query<{ epoch: string }>('select epoch from feed_state');
  return rows[0]?.epoch;
}

/** True if a process waits for open transactions before it turns the feed on or off. */
async function isSwitchWaiting(): Promise<boolean> {
  const { rowCount } = await fixture.pool.query(
    `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount !== 0;
}

function addDays(days: Set<string>, from: string, to: string): void {
  for (let number = dayNumber(from) as number; number <= (dayNumber(to) as number); number++) {
    days.add(fromDayNumber(number));
  }
}

describe('a process with FEED=off', () => {
  it('records changes only while another process has the feed on', async () => {
    recordIfOn(fixture.pool);
    const user = await fixture.newUser();
    await setFeed(fixture.pool, false);
    await fixture.writer.write(user, batchOf([heartRate(1)]));
    expect(await positionOf(user)).toBe(0);
    await setFeed(fixture.pool, true);
    await fixture.writer.write(user, batchOf([heartRate(2)]));
    expect(await positionOf(user)).toBeGreaterThan(0);
  });

  it('blocks turning the feed on until its open transaction commits', async () => {
    await setFeed(fixture.pool, false);
    const before = await epoch();
    let switched: Promise<void> | undefined;
    await inTransaction(fixture.pool, async (client) => {
      const { rows } = await client.query('select is_feed_on() as is_on');
      expect(rows).toEqual([{ is_on: false }]);
      switched = setFeed(fixture.pool, true);
      await expect.poll(isSwitchWaiting).toBe(true);
      expect(await epoch()).toBe(before);
    });
    await switched;
    expect(await epoch()).not.toBe(before);
  });
});

describe('a process that turns the feed on', () => {
  it('lets other processes write while it waits for an open transaction', async () => {
    await setFeed(fixture.pool, false);
    const [open, other] = [await fixture.newUser(), await fixture.newUser()];
    const pool = createPool({ url: fixture.url, max: 1 });
    let switched: Promise<void> | undefined;
    await inTransaction(fixture.pool, async (client) => {
      await lockUser(client, open);
      switched = setFeed(pool, true);
      await expect.poll(isSwitchWaiting).toBe(true);
      await fixture.write(other, heartRate(1));
      expect((await client.query('select from feed_state where is_on')).rowCount).toBe(0);
    });
    await switched;
    await pool.end();
    expect((await fixture.pool.query('select from feed_state where is_on')).rowCount).toBe(1);
  });

  it('succeeds although long transactions overlap all the time', async () => {
    await setFeed(fixture.pool, false);
    const pool = createPool({ url: fixture.url, max: 4 });
    let isOver = false;
    const writing = [0, 1, 2].map(async (place) => {
      const user = await fixture.newUser();
      await sleep(place * 300);
      while (!isOver) {
        await inTransaction(pool, async (client) => {
          await lockUser(client, user);
          await sleep(900);
        });
      }
    });
    await sleep(900);
    await setFeed(fixture.pool, true);
    isOver = true;
    await Promise.all(writing);
    await pool.end();
    expect((await fixture.pool.query('select from feed_state where is_on')).rowCount).toBe(1);
  });

  it('never rolls back a writer that waits for another writer', async () => {
    await setFeed(fixture.pool, false);
    const [first, second] = [await fixture.newUser(), await fixture.newUser()];
    const pool = createPool({ url: fixture.url, max: 3 });
    let attempts = 0;
    let switched: Promise<void> | undefined;
    let waiting: Promise<void> | undefined;
    await inTransaction(pool, async (client) => {
      await lockUser(client, first);
      switched = setFeed(fixture.pool, true);
      await expect.poll(isSwitchWaiting).toBe(true);
      // Holds a row before it asks for the switch, as a trigger of a connection does.
      waiting = inTransaction(pool, async (other) => {
        attempts++;
        await other.query('select from health_user where user_key = $1 for update', [second]);
        await lockUser(other, second);
      });
      await expect.poll(() => attempts).toBe(1);
      await sleep(2_500);
      await client.query('select from health_user where user_key = $1 for update', [second]);
    });
    await Promise.all([switched, waiting]);
    await pool.end();
    expect(attempts).toBe(1);
  });
});

describe('a transaction that began while the feed was off', () => {
  const connection = (user: number) =>
    fixture.pool.query(`insert into connection (user_key, provider) values ($1, 'oura')`, [user]);
  it.each<[string, string, (client: pg.ClientBase, user: number) => Promise<unknown>]>([
    [
      'connection',
      `select from connection where user_key = $1 and status = 'revoked'`,
      (client, user) => client.query(`update connection set status = 'revoked' where user_key = $1`, [user]),
    ],
    [
      'user',
      'select from health_user where user_key = $1 + 1000000',
      (client, user) =>
        client.query('insert into health_user (user_key, id) overriding system value values ($1, gen_random_uuid())', [
          user + 1_000_000,
        ]),
    ],
    [
      'run',
      'select from written where user_key = $1',
      async (client, user) => {
        await client.query('insert into written values ($1)', [user]);
        addEvent(client, { userKey: user, kind: 'run', body: { action: 'started' } });
      },
    ],
  ])('never hides its event from a reader of the new epoch: %s', async (kind, state, change) => {
    await setFeed(fixture.pool, false);
    const pool = createPool({ url: fixture.url, max: 2 });
    recordIfOn(pool);
    const user = await fixture.newUser();
    await connection(user);
    await fixture.pool.query('create table if not exists written (user_key bigint)');
    const query = { kinds: undefined, userKey: undefined, limit: 1_000 };
    let hasRead = false;
    const read = async () => {
      await setFeed(fixture.pool, true);
      const { cursor } = await readFeed(fixture.pool, { cursor: undefined, ...query });
      const { rowCount } = await fixture.pool.query(state, [user]);
      hasRead = true;
      return { cursor, isKnown: rowCount !== 0 };
    };
    let reading: ReturnType<typeof read> | undefined;
    await inTransaction(pool, async (client) => {
      await change(client, user);
      reading = read();
      await expect.poll(async () => hasRead || (await isSwitchWaiting())).toBe(true);
    });
    const { cursor, isKnown } = (await reading) as Awaited<ReturnType<typeof read>>;
    await fixture.pool.query('select assign_ordinals(1000, true)');
    const { items } = await readFeed(fixture.pool, { cursor, ...query });
    await fixture.pool.query('drop table written');
    await pool.end();
    expect(isKnown || items.some((item) => item.kind === kind)).toBe(true);
  });
});

describe('a process that turns the feed off', () => {
  it('deletes the entries before the next epoch starts', async () => {
    await setFeed(fixture.pool, true);
    recordIfOn(fixture.pool);
    const user = await fixture.newUser();
    await fixture.writer.write(user, batchOf([heartRate(1)]));
    const before = await epoch();
    await fixture.pool.query('select assign_ordinals(1000)');
    await setFeed(fixture.pool, false);
    expect((await fixture.pool.query('select from change')).rowCount).toBe(0);
    expect(await epoch()).toBe(before);
    await setFeed(fixture.pool, true);
    expect(await epoch()).not.toBe(before);
    const { rows } = await fixture.pool.query('select last_ordinal from feed_state');
    expect(rows).toEqual([{ last_ordinal: 0 }]);
  });

  it('lets other processes commit while it deletes', async () => {
    await setFeed(fixture.pool, true);
    await fixture.pool.query(`select record_feed_event(0, 'selection', '{}')`);
    const other = createPool({ url: fixture.url, max: 1 });
    let switched: Promise<void> | undefined;
    await inTransaction(fixture.pool, async (client) => {
      await client.query('select from change for update');
      switched = setFeed(other, false);
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from change%'`;
      await expect.poll(async () => (await fixture.pool.query(waits)).rowCount).toBe(1);
      await client.query(`set local lock_timeout = '5s'`);
      expect((await client.query('select is_feed_on() as is_on')).rows).toEqual([{ is_on: false }]);
    });
    await switched;
    await other.end();
    expect((await fixture.pool.query('select from change')).rowCount).toBe(0);
  });
});

describe('processes that turn the feed on and off during writes', () => {
  it('never hide a change from a reader of the same epoch', async () => {
    await setFeed(fixture.pool, false);
    const pools = [1, 2].map(() => createPool({ url: fixture.url, max: 3 }));
    for (const pool of pools) recordIfOn(pool);
    const user = await fixture.newUser();
    const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);
    let next = 0;
    let isOver = false;
    /** Each transaction changes a different day, and commits a random time after it has asked for the switch. */
    const write = async (pool: pg.Pool) => {
      while (!isOver) {
        await inTransaction(pool, async (client) => {
          await lockUser(client, user);
          await client.query('insert into written (day) values ($1)', [day(++next)]);
          changesOf(client, user).addSamples(1, dayNumber(day(next)) as number, CHANGE.created);
          await sleep(Math.random() * 20);
        });
      }
    };
    const turn = async (pool: pg.Pool, isOn: boolean) => {
      for (let times = 0; times < 12; times++) {
        await setFeed(pool, isOn);
        await sleep(Math.random() * 150);
      }
    };
    const writtenDays = async () =>
      (await fixture.pool.query<{ day: string }>('select day from written')).rows.map((row) => row.day);
    let checks = 0;
    const missed: string[] = [];
    const follow = async () => {
      for (let known: Set<string> | undefined, cursor: string | undefined; !isOver; await sleep(5)) {
        const written = await writtenDays();
        await fixture.pool.query('select assign_ordinals(10000, true)');
        const query = { kinds: undefined, userKey: undefined, limit: 10_000 };
        const page = await readFeed(fixture.pool, { cursor, ...query }).catch(() => undefined);
        if (!page || !known) {
          // Starts again: first reads the cursor, then the data.
          cursor = (await readFeed(fixture.pool, { cursor: undefined, ...query }).catch(() => undefined))?.cursor;
          known = cursor === undefined ? undefined : new Set(await writtenDays());
          continue;
        }
        for (const { days = [] } of page.items) for (const { from, to } of days) addDays(known, from, to);
        cursor = page.cursor;
        checks++;
        for (const date of written) if (!known.has(date)) missed.push(date);
      }
    };
    await fixture.pool.query('create table written (day text)');
    const working = [...pools.map(write), follow()];
    await Promise.all([turn(pools[0] as pg.Pool, true), turn(pools[1] as pg.Pool, false)]);
    isOver = true;
    await Promise.all(working);
    await fixture.pool.query('drop table written');
    await Promise.all(pools.map((pool) => pool.end()));
    expect(missed).toEqual([]);
    expect(checks).toBeGreaterThan(10);
  });
});

describe('a process whose setting differs from the feed', () => {
  it('reports the difference once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const pool = createPool({ url: fixture.url, max: 1 });
    const channels = new DatabaseChannels({ url: fixture.url });
    const reported: boolean[] = [];
    const feed = new Feed({
      pool,
      channels,
      vault: createVault([new Uint8Array(32)]),
      isOn: false,
      onError: () => {},
      onOtherSetting: (isOn) => reported.push(isOn),
    });
    await setFeed(fixture.pool, true);
    feed.start();
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => reported).toEqual([true]);
    vi.advanceTimersByTime(10_000);
    // The pool has one connection, so the second comparison ends before this statement.
    await pool.query('select');
    await feed.stop();
    vi.useRealTimers();
    await channels.close();
    await pool.end();
    expect(reported).toEqual([true]);
  });
});

describe('a process with FEED=on', () => {
  it('records nothing while another process has turned the feed off', async () => {
    onCommit(fixture.pool, async (client) => {
      await storeChanges(client);
      return undefined;
    });
    const user = await fixture.newUser();
    await setFeed(fixture.pool, false);
    await fixture.writer.write(user, batchOf([heartRate(1)]));
    expect(await positionOf(user)).toBe(0);
  });
});

describe('the assignment of ordinals', () => {
  it('covers entries restored from another database only in a full search', async () => {
    await setFeed(fixture.pool, true);
    await fixture.pool.query('select assign_ordinals(1000)');
    // Simulates the restored state of a database that has run more transactions.
    await fixture.pool.query(`update feed_state set numbered_before = '1000000000'`);
    await fixture.pool.query(`select record_feed_event(0, 'selection', '{}')`);
    const assigned = async (...values: unknown[]) => {
      const { rows } = await fixture.pool.query<{ count: number }>('select assign_ordinals(1000, $1) as count', values);
      return rows[0]?.count;
    };
    expect(await assigned(false)).toBe(0);
    expect(await assigned(true)).toBe(1);
    await fixture.pool.query(`select record_feed_event(0, 'selection', '{}')`);
    expect(await assigned(false)).toBe(1);
  });

  it("keeps each user's order in a backlog of several transactions", async () => {
    await setFeed(fixture.pool, false);
    await setFeed(fixture.pool, true);
    // Rows of the users alternate, and a user's later rows are stored first.
    await fixture.pool.query(
      `insert into change (user_key, is_data, number, at, kind, body)
       select -1 - n % 7, true, n / 7, now() + n / 7 * interval '1 ms', 'samples', '{}'
         from generate_series(22000, 1, -1) n`,
    );
    const sequencer = startSequencer(fixture.pool, (error) => expect(error).toBeUndefined());
    sequencer.wake();
    const unnumbered = 'select from change where ordinal is null';
    await expect.poll(async () => (await fixture.pool.query(unnumbered)).rowCount, { timeout: 30_000 }).toBe(0);
    await sequencer.stop();
    const { rows } = await fixture.pool.query(
      `select count(*)::int as count, max(ordinal)::int as last,
              count(*) filter (where number < before)::int as disordered
         from (select *, lag(number) over (partition by user_key order by ordinal) as before from change) entry`,
    );
    expect(rows).toEqual([{ count: 22_000, last: 22_000, disordered: 0 }]);
  });

  it('finds a transaction that spans an assignment', async () => {
    await setFeed(fixture.pool, true);
    const count = async () => {
      const { rows } = await fixture.pool.query<{ count: number }>('select assign_ordinals(1000) as count');
      return rows[0]?.count;
    };
    await fixture.pool.query('select assign_ordinals(1000, true)');
    const [slow, fast] = [await fixture.newUser(), await fixture.newUser()];
    await count();
    await inTransaction(fixture.pool, async (client) => {
      await client.query(`select record_feed_event($1, 'connection', '{}')`, [slow]);
      await fixture.pool.query(`select record_feed_event($1, 'connection', '{}')`, [fast]);
      expect(await count()).toBe(1);
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(1);
  });
});

describe('an event of a connection', () => {
  it('never waits for the lock of its user', async () => {
    await setFeed(fixture.pool, true);
    const userKey = await fixture.newUser();
    await fixture.pool.query(`insert into connection (user_key, provider) values ($1, 'oura')`, [userKey]);
    const other = createPool({ url: fixture.url, max: 1 });
    await inTransaction(fixture.pool, async (client) => {
      await lockUser(client, userKey);
      // Fails instead of waiting forever if the event needs the user's lock, which this transaction holds.
      await other.query(`set lock_timeout = '5s'`);
      await other.query(`update connection set status = 'revoked' where user_key = $1`, [userKey]);
    });
    await other.end();
    const { rows } = await fixture.pool.query(
      `select body ->> 'action' as action from change where user_key = $1 and kind = 'connection' order by number`,
      [userKey],
    );
    expect(rows).toEqual([{ action: 'created' }, { action: 'revoked' }]);
  });

  it('is not stored after the erasure of its user', async () => {
    await setFeed(fixture.pool, true);
    const userKey = await fixture.newUser();
    const { rows } = await fixture.pool.query<{ id: string }>('select id from health_user where user_key = $1', [
      userKey,
    ]);
    await fixture.pool.query(`insert into connection (user_key, provider) values ($1, 'oura')`, [userKey]);
    let ended: Promise<unknown> | undefined;
    const other = createPool({ url: fixture.url, max: 1 });
    await inTransaction(fixture.pool, async (client) => {
      await lockUserForErasure(client, userKey);
      await eraseChanges(client, { id: rows[0]?.id as string, userKey });
      ended = other.query('select record_feed_event($1, $2, $3)', [userKey, 'connection', '{"action": "revoked"}']);
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%record_feed_event%'`;
      await expect.poll(async () => (await fixture.pool.query(waits)).rowCount).toBeGreaterThan(0);
      await client.query('delete from health_user where user_key = $1', [userKey]);
    });
    await ended;
    await other.end();
    const left = await fixture.pool.query('select from change where user_key = $1', [userKey]);
    expect(left.rows).toHaveLength(0);
  });
});
