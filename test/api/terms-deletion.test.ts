import { TermRows, type VendorTerms } from '@healthd/daemon/connections';
import type { JobContext } from '@healthd/daemon/platform/jobs';
import { applyVendorTerms, archiveOldData, termsJob, termsSweeper } from '@healthd/daemon/retention';
import { batchOf, fromDayNumber, type HealthRecord, MS_PER_DAY, type SourceIdentity } from '@healthd/model';
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordedUser, type TestUser } from '../support/recorded-user.js';
import { GARMIN, sample, WATCH, run as workout } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const NOW_MS = Date.parse('2026-03-20T12:00:00Z');
const TODAY = Math.floor(NOW_MS / MS_PER_DAY);
/** First local date within a limit of seven days. */
const KEPT = fromDayNumber(TODAY - 7);
const CLOUD: SourceIdentity = { provider: 'strava', account: 'a1', deviceModel: 'Edge 530', deviceType: 'watch' };
const FILE: SourceIdentity = { provider: 'strava', deviceModel: 'Edge 530', deviceType: 'watch' };

let service: TestService;
let developer: Call;
let enqueued = 0;
beforeAll(async () => {
  const tryEnqueue = async () => {
    enqueued++;
    return true;
  };
  service = await startTestService({ overrides: { tryEnqueue } });
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

let user: TestUser;
beforeEach(async () => {
  user = await recordedUser(service, ...[CLOUD, FILE, WATCH, GARMIN].flatMap(days));
  await service.pool.query('analyze');
});
afterEach(async () => {
  await erase();
  await service.pool.query('delete from provider_setting');
  service.parts.connections.terms.forget();
});

const erase = () => developer('DELETE', `/api/v1/users/${user.id}`);

/**
 * Replaces the test's user with a user who has these records. Counts include every user, so the test must have only one
 * user.
 */
async function useRecords(...records: HealthRecord[]): Promise<void> {
  await erase();
  user = await recordedUser(service, ...records);
}

/** Returns twelve days of one source: steps all day, a run, a night with heart rates, a score. */
function days(source: SourceIdentity): HealthRecord[] {
  return Array.from({ length: 12 }, (_, index): HealthRecord[] => {
    const day = TODAY - 11 + index;
    const at = (hour: number) => new Date(day * MS_PER_DAY + hour * 3_600_000).toISOString();
    const more = { source, offsetMinutes: 0 };
    const value = source === CLOUD ? 900 : 100;
    return [
      ...[8, 12, 23.75].map((hour) => sample('steps', at(hour), value + hour, { ...more, minutes: 30 })),
      ...[-2, 1, 4, 17.5].map((hour) => sample('heart_rate', at(hour), 50 + hour + (source === CLOUD ? 9 : 0), more)),
      workout({
        source,
        externalId: `run ${day}`,
        startMs: Date.parse(at(17)),
        endMs: Date.parse(at(18)),
        offsetMinutes: 0,
      }),
      {
        kind: 'sleep_session',
        source,
        externalId: `night ${day}`,
        startMs: Date.parse(at(-3)),
        endMs: Date.parse(at(6)),
        offsetMinutes: 0,
        isNap: false,
      },
    ];
  }).flat();
}

const change = (terms: object) => developer('PATCH', '/api/v1/providers/strava/settings', { terms });
const accept = (term: 'cache_days' | 'on_disconnect') => change({ [term]: { answer: 'accepted' } });

/**
 * Returns the number of rows that a term affects, as shown to the operator. Counts again, because the service caches
 * slow counts for minutes.
 */
async function rowsOf(name: 'cacheDays' | 'onDisconnect'): Promise<number | undefined> {
  const states = await service.parts.connections.terms.states();
  const state = states.get('strava')?.find((one) => one.name === name);
  if (!state) throw new Error('unknown term');
  return new TermRows(service.pool).of('strava', state);
}

const apply = (
  terms: Partial<Parameters<typeof applyVendorTerms>[0]['terms']> = {},
  nowMs = NOW_MS,
  signal?: AbortSignal,
) => {
  const stored = service.parts.connections.terms;
  return applyVendorTerms({
    pool: service.pool,
    writer: service.parts.writer,
    terms: { current: () => stored.current(), lockInForce: stored.lockInForce.bind(stored), ...terms },
    nowMs,
    ...(signal && { signal }),
    log: { info: () => undefined, error: (fields) => expect(fields).toBeUndefined() },
  });
};

const NAMES = ['id', 'user_key', 'source_id', 'night_source_id', 'created_at', 'updated_at'];

/** Returns the stored data by table, without numbers that differ between users. */
async function stored(condition = 'true') {
  const found: Record<string, unknown[]> = {};
  for (const table of [
    'sample',
    'day_value',
    'day_minutes',
    'sleep_session',
    'workout',
    'night_value',
    'data_source',
  ]) {
    const { rows } = await service.pool.query<{ kept: unknown }>(
      `select (to_jsonb(t) - $2::text[]) || jsonb_build_object('of', d.provider, 'account', d.account) as kept
         from ${table} t join data_source d using (user_key, source_id)
        where user_key = $1 and ${condition} order by 1`,
      [user.userKey, NAMES],
    );
    found[table] = rows.map(({ kept }) => kept);
  }
  return found;
}
const OF_CLOUD = "d.provider = 'strava' and d.from_cloud";
const NOT_OF_CLOUD = `not (${OF_CLOUD})`;

async function activity() {
  const path = `/api/v1/users/${user.id}/summaries/activity?start_date=2026-03-01&end_date=2026-03-22`;
  const { body } = await service.call('GET', path);
  return body.data.map((row: { date: string; steps: number; source: { provider: string } }) => [
    row.date,
    row.steps,
    row.source.provider,
  ]);
}

async function audited() {
  const { rows } = await service.pool.query(
    `select detail from audit_event where user_id = $1 and resource = 'provider_data' and actor_type = 'service'`,
    [user.id],
  );
  return rows.map(({ detail }) => detail);
}

/** Resolves when another database session waits for a lock that `client` holds. */
async function blockedBy(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await expect
    .poll(
      async () => {
        const blocked = await service.pool.query(
          'select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))',
          [rows[0]?.pid],
        );
        return blocked.rowCount;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
}

async function cloudRows(before?: string) {
  const { rows } = await service.pool.query<{ n: number }>(
    `select ((select count(*) from sample s join data_source d using (user_key, source_id)
               where ${OF_CLOUD} and user_key = $1 and ($2::date is null or s.start_at < $2::date))
           + (select count(*) from workout w join data_source d using (user_key, source_id)
               where ${OF_CLOUD} and user_key = $1 and ($2::date is null or w.local_date < $2::date))
           + (select count(*) from sleep_session n join data_source d using (user_key, source_id)
               where ${OF_CLOUD} and user_key = $1 and ($2::date is null or n.wake_date < $2::date)))::int4 as n`,
    [user.userKey, before ?? null],
  );
  return rows[0]?.n ?? -1;
}

describe('a cache limit', () => {
  test('deletes nothing without an acceptance or after a rejection', async () => {
    const before = await stored();
    expect(await apply()).toEqual({ deletedRows: 0, failedUsers: 0 });
    await change({ cache_days: { answer: 'declined' }, on_disconnect: { answer: 'declined' } });
    expect(await apply()).toEqual({ deletedRows: 0, failedUsers: 0 });
    expect(await stored()).toEqual(before);
  });

  test('deletes only cloud data from before the limit', async () => {
    const others = await stored(NOT_OF_CLOUD);
    const storedRows = await cloudRows();
    const old = await cloudRows(KEPT);
    expect(old).toBeGreaterThan(20);
    await accept('cache_days');
    expect(await apply()).toEqual({ deletedRows: old, failedUsers: 0 });
    expect(await cloudRows(KEPT)).toBe(0);
    expect(await cloudRows()).toBe(storedRows - old);
    const { night_value: _, ...left } = await stored(NOT_OF_CLOUD);
    expect(left).toEqual({ ...others, night_value: undefined });
    expect(await apply()).toEqual({ deletedRows: 0, failedUsers: 0 });
    expect(await audited()).toEqual([
      `strava: ${old} rows before ${KEPT} deleted, because cache_days = 7 was accepted`,
    ]);
  });

  test('deletes exactly the number of rows that the operator saw', async () => {
    const shown = await rowsOf('cacheDays');
    expect(shown).toBe(await cloudRows());
    await accept('cache_days');
    const outcome = await apply({}, Date.now());
    expect(outcome.deletedRows).toBe(shown);
    expect(await rowsOf('cacheDays')).toBe(0);
  });

  test('leaves the same figures as if the old data had never arrived', async () => {
    await accept('cache_days');
    await apply();
    const after = { activity: await activity(), ...(await stored()) };
    await erase();
    const dateOf = (record: HealthRecord) =>
      record.kind === 'sleep_session' ? record.endMs : 'startMs' in record ? record.startMs : 0;
    const isOld = (record: HealthRecord) =>
      'source' in record && record.source === CLOUD && dateOf(record) < Date.parse(KEPT);
    const records = [CLOUD, FILE, WATCH, GARMIN].flatMap(days).filter((record) => !isOld(record));
    user = await recordedUser(service, ...records);
    expect({ activity: await activity(), ...(await stored()) }).toEqual(after);
  });

  test('deletes archived days', async () => {
    const settings = { archiveAfterDays: 2, deleteAfterDays: null };
    const log = { error: (fields: object) => expect(fields).toBeUndefined() };
    const rows = await cloudRows(KEPT);
    await archiveOldData({ ...service.parts, settings, nowMs: NOW_MS, log });
    await accept('cache_days');
    expect((await apply()).deletedRows).toBe(rows);
    for (const [table, date] of [
      ['day_archive', 'local_date'],
      ['merged_archive', 'local_date'],
      ['night_archive', 'wake_date'],
    ]) {
      const { rows: left } = await service.pool.query(
        `select from ${table} join data_source d using (user_key, source_id)
          where user_key = $1 and ${OF_CLOUD} and ${date} < $2::date`,
        [user.userKey, KEPT],
      );
      expect(left, table).toHaveLength(0);
    }
  });

  test('stops if the acceptance is withdrawn during a run', async () => {
    await accept('cache_days');
    const stale = await service.parts.connections.terms.current();
    await change({ cache_days: { value: null, reason: 'Written permission' } });
    const before = await stored();
    expect((await apply({ current: async () => stale })).deletedRows).toBe(0);
    expect(await stored()).toEqual(before);
    expect(await audited()).toEqual([]);
  });

  test("fails and retries the job if a user's deletion fails", async () => {
    await accept('cache_days');
    const stored = service.parts.connections.terms;
    const lockInForce: VendorTerms['lockInForce'] = async () => {
      throw new Error('lock timeout');
    };
    const terms = { current: () => stored.current(), lockInForce };
    const job = termsJob({ pool: service.pool, writer: service.parts.writer, terms });
    const failures: object[] = [];
    const context: JobContext = {
      signal: new AbortController().signal,
      attempt: 1,
      touch: async () => undefined,
      again: async () => true,
      log: { debug() {}, info() {}, warn() {}, error: (fields) => failures.push(fields) },
    };
    await expect(job.run({}, context)).rejects.toThrow('1 users');
    expect(job.retry.maxAttempts).toBeGreaterThan(1);
    expect(failures).toMatchObject([{ event: 'vendor_terms_failed', user_key: user.userKey, provider: 'strava' }]);
    expect((await apply()).deletedRows).toBeGreaterThan(0);
  });

  test('enqueues its job on acceptance', async () => {
    enqueued = 0;
    await accept('cache_days');
    expect(enqueued).toBe(1);
  });
});

describe('the start date of a cache limit', () => {
  const read = async () => {
    const { rows } = await service.pool.query<{ value: number }>(
      'select value from sample where user_key = $1 order by value',
      [user.userKey],
    );
    return rows.map(({ value }) => value);
  };

  test('moves by one day at midnight UTC', async () => {
    const value = (date: number) => 100 + date - TODAY;
    const dates = [10, 9, 8, 7, 6].map((days) => TODAY - days);
    await useRecords(
      ...dates.map((date) =>
        sample('heart_rate', `${fromDayNumber(date)}T12:00:00Z`, value(date), { source: CLOUD, offsetMinutes: 0 }),
      ),
    );
    await accept('cache_days');
    await apply({}, TODAY * MS_PER_DAY - 1);
    expect(await read()).toEqual([8, 7, 6].map((days) => value(TODAY - days)));
    await apply({}, TODAY * MS_PER_DAY);
    expect(await read()).toEqual([7, 6].map((days) => value(TODAY - days)));
  });
});

describe('a long deletion', () => {
  const DAYS = 100;
  const lockInForce: VendorTerms['lockInForce'] = (client, id) =>
    service.parts.connections.terms.lockInForce(client, id);
  const useDays = async (perDay: number) => {
    const lastMs = (TODAY - 8) * MS_PER_DAY;
    const at = (index: number) => lastMs - (index % DAYS) * MS_PER_DAY + Math.floor(index / DAYS) * 60_000;
    const more = { source: CLOUD, offsetMinutes: 0 };
    await useRecords(
      ...Array.from({ length: DAYS * perDay }, (_, index) =>
        sample('heart_rate', new Date(at(index)).toISOString(), 60, more),
      ),
    );
    await accept('cache_days');
  };

  test('deletes at most 33 days of a series under one user lock', async () => {
    await useDays(100);
    const left: number[] = [];
    const count: VendorTerms['lockInForce'] = async (client, id) => {
      left.push(await cloudRows());
      return lockInForce(client, id);
    };
    expect((await apply({ lockInForce: count })).deletedRows).toBe(10_000);
    const turns = left.map((rows, turn) => rows - (left[turn + 1] ?? 0));
    expect(Math.max(...turns)).toBeLessThanOrEqual(33 * 100);
    expect(turns.filter((rows) => rows > 0).length).toBeGreaterThanOrEqual(3);
  });

  test('continues after an interruption', async () => {
    await useDays(2);
    const stop = new AbortController();
    let turns = 0;
    const abort: VendorTerms['lockInForce'] = async (client, id) => {
      if (++turns === 2) stop.abort(new Error('stopping'));
      return lockInForce(client, id);
    };
    await expect(apply({ lockInForce: abort }, NOW_MS, stop.signal)).rejects.toThrow('stopping');
    const rows = await cloudRows();
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(2 * DAYS);
    expect((await apply()).deletedRows).toBe(rows);
    expect(await audited()).toHaveLength(2);
  });

  test('stops at the next step after the operator declines', async () => {
    await useDays(2);
    let turns = 0;
    const decline: VendorTerms['lockInForce'] = async (client, id) => {
      if (++turns === 2) await change({ cache_days: { answer: 'declined' } });
      return lockInForce(client, id);
    };
    const { deletedRows } = await apply({ lockInForce: decline });
    expect(deletedRows).toBeGreaterThan(0);
    expect(await cloudRows()).toBe(2 * DAYS - deletedRows);
  });

  test('ends without a failure if the user is erased', async () => {
    await useDays(2);
    let turns = 0;
    let erased: Promise<unknown> = Promise.resolve();
    const eraseMeanwhile: VendorTerms['lockInForce'] = async (client, id) => {
      if (++turns === 2) erased = erase();
      return lockInForce(client, id);
    };
    expect((await apply({ lockInForce: eraseMeanwhile })).failedUsers).toBe(0);
    await erased;
    expect(await cloudRows()).toBe(0);
  });
});

describe('a cloud whose limit is accepted', () => {
  const today = Math.floor(Date.now() / MS_PER_DAY);
  const SENT: SourceIdentity = { provider: 'strava', deviceModel: 'Edge 530' };
  const records = [9, 8, 7, 1].flatMap((days): HealthRecord[] => {
    const at = (hour: number) => (today - days) * MS_PER_DAY + hour * 3_600_000;
    const more = { source: SENT, offsetMinutes: 0 };
    return [
      sample('heart_rate', new Date(at(12)).toISOString(), 60 + days, more),
      workout({ ...more, externalId: `w${days}`, startMs: at(17), endMs: at(18) }),
      { kind: 'sleep_session', ...more, externalId: `n${days}`, startMs: at(-2), endMs: at(6) },
      { kind: 'health_score', ...more, externalId: `s${days}`, category: 'sleep', value: 80, atMs: at(7) },
    ];
  });
  const write = (client?: PoolClient) => {
    const { writer } = service.parts;
    const how = { account: 'a2' };
    return client
      ? writer.writeIn(client, user.userKey, batchOf(records), how)
      : writer.write(user.userKey, batchOf(records), how);
  };
  const dates = async () => {
    const { rows } = await service.pool.query<{ date: string }>(
      'select local_date as date from workout where user_key = $1 order by 1',
      [user.userKey],
    );
    return rows.map(({ date }) => date);
  };
  const KEPT_DATES = [today - 7, today - 1].map(fromDayNumber);
  beforeEach(async () => {
    await useRecords();
  });

  test('restores no deleted day', async () => {
    expect((await write()).items.suppressed).toBe(0);
    expect(await dates()).toHaveLength(4);
    await accept('cache_days');
    expect((await apply({}, Date.now())).deletedRows).toBe(8);
    expect(await dates()).toEqual(KEPT_DATES);
    expect((await write()).items).toMatchObject({ suppressed: 8, inserted: 0 });
    expect(await dates()).toEqual(KEPT_DATES);
    expect((await apply({}, Date.now())).deletedRows).toBe(0);
  });

  test('stores old days again after the operator lifts the limit', async () => {
    await accept('cache_days');
    await write();
    await change({ cache_days: { value: null, reason: 'Written permission' } });
    await write();
    expect(await dates()).toHaveLength(4);
  });

  test('does not limit file imports', async () => {
    await accept('cache_days');
    await service.parts.writer.write(user.userKey, batchOf(records));
    expect(await dates()).toHaveLength(4);
  });

  test('drops old days of a sync that started before the acceptance', async () => {
    // Stores one record first, because the deletion skips a user without a source.
    await service.parts.writer.write(user.userKey, batchOf(records.slice(-1)), { account: 'a2' });
    const client = await service.pool.connect();
    try {
      await client.query('begin');
      await write(client);
      await accept('cache_days');
      const applied = apply({}, Date.now());
      await blockedBy(client);
      await client.query('commit');
      expect((await applied).deletedRows).toBe(8);
    } finally {
      client.release();
    }
    expect(await dates()).toEqual(KEPT_DATES);
  });
});

describe('deletion on disconnect', () => {
  const connect = (status: string, reason: string | null) =>
    service.pool.query(
      `insert into connection (user_key, provider, status, status_reason) values ($1, 'strava', $2, $3)`,
      [user.userKey, status, reason],
    );
  const sweep = () => termsSweeper({ pool: service.pool, terms: service.parts.connections.terms }).findUnqueued(10);

  test.each(['user_disconnected', 'deregistered'])('deletes cloud data after %s', async (reason) => {
    await connect('revoked', reason);
    const { data_source: _, ...others } = await stored(NOT_OF_CLOUD);
    const shown = await rowsOf('onDisconnect');
    expect(shown).toBe(await cloudRows());
    expect(await sweep()).toEqual([]);
    await accept('on_disconnect');
    expect(await sweep()).toEqual([{}]);
    expect(await apply()).toEqual({ deletedRows: shown, failedUsers: 0 });
    expect(await sweep()).toEqual([]);
    expect(await cloudRows()).toBe(0);
    const { data_source: __, ...left } = await stored(NOT_OF_CLOUD);
    expect({ ...left, night_value: [] }).toEqual({ ...others, night_value: [] });
    expect(await audited()).toEqual([`strava: ${shown} rows deleted, because on_disconnect = delete was accepted`]);
  });

  test.each([
    ['active', null],
    ['revoked', 'refresh_failed'],
    ['expired', 'token_expired'],
  ])('keeps the data of a connection that is %s (%s)', async (status, reason) => {
    await connect(status, reason);
    await accept('on_disconnect');
    expect(await rowsOf('onDisconnect')).toBe(0);
    expect(await sweep()).toEqual([]);
    expect((await apply()).deletedRows).toBe(0);
  });

  test('deletes nothing without an acceptance', async () => {
    await connect('revoked', 'user_disconnected');
    expect((await apply()).deletedRows).toBe(0);
    await change({ on_disconnect: { answer: 'declined' } });
    expect((await apply()).deletedRows).toBe(0);
    expect(await sweep()).toEqual([]);
  });

  test('stops if the acceptance is withdrawn during a run', async () => {
    await connect('revoked', 'user_disconnected');
    await accept('on_disconnect');
    const stale = await service.parts.connections.terms.current();
    await change({ on_disconnect: { answer: 'declined' } });
    expect((await apply({ current: async () => stale })).deletedRows).toBe(0);
  });

  test('keeps the data of a user who reconnected', async () => {
    await connect('revoked', 'user_disconnected');
    await accept('on_disconnect');
    await service.pool.query(`update connection set status = 'active', status_reason = null`);
    expect((await apply()).deletedRows).toBe(0);
  });

  test('stops if the user reconnects during a run', async () => {
    await connect('revoked', 'user_disconnected');
    await accept('on_disconnect');
    const before = await stored();
    const terms = service.parts.connections.terms;
    const reconnect: VendorTerms['lockInForce'] = async (client, id) => {
      await service.pool.query(`update connection set status = 'active', status_reason = null`);
      return terms.lockInForce(client, id);
    };
    expect((await apply({ lockInForce: reconnect })).deletedRows).toBe(0);
    expect(await stored()).toEqual(before);
  });
});
