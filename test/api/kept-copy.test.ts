import { type HealthCopy, readSnapshot, snapshotThenFollow, type Verification, verifyCopy } from '@healthd/client/feed';
import { postgresCopy } from '@healthd/client/postgres';
import { archiveOldData } from '@healthd/daemon/retention';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, MemoryCopy, verify } from '../faults/memory-copy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { PHONE, sample, samplesEvery, WATCH } from '../support/records.js';
import { writeRecords } from '../support/recorded-user.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let own: TestDatabase;
beforeAll(async () => {
  service = await startTestService();
  own = await createTestDatabase();
});
afterAll(async () => {
  await service.stop();
  await own.drop();
});

interface Copy {
  copy: HealthCopy;
  /** Local days of the user's samples, ascending. */
  days(userId: string): Promise<string[]>;
  state(userId: string): Promise<Verification['state'] | undefined>;
}

const api = () => apiOf(() => service.url, { 'X-Service-API-Key': service.first.apiKey });

function inMemory(): Copy {
  const copy = new MemoryCopy();
  return {
    copy,
    days: async (userId) => (copy.users.get(userId)?.rows ?? []).map(({ day }) => day).toSorted(),
    state: async (userId) => (await verify(api(), copy, userId)).state,
  };
}

let schemas = 0;
async function inPostgres(): Promise<Copy> {
  const schema = `copy_${++schemas}`;
  const copy = postgresCopy(own.pool, { schema });
  await copy.createTables();
  return {
    copy,
    async days(userId) {
      const { rows } = await own.pool.query<{ day: string }>(
        `select day::text as day from ${schema}.samples where user_id = $1 order by day`,
        [userId],
      );
      return rows.map(({ day }) => day);
    },
    state: async (userId) => (await copy.readUser(userId, (user) => verifyCopy(api(), user)))?.state,
  };
}

/** Creates a user with one heart rate on each of two days. */
async function newUser(): Promise<{ id: string; userKey: number }> {
  const { body } = await service.call('POST', '/api/v1/users', {});
  const { userKey } = (await service.users.find(body.id)) as { userKey: number };
  await writeHeartRate(userKey, '2026-03-01', WATCH);
  await writeHeartRate(userKey, '2026-03-04', WATCH);
  return { id: body.id, userKey };
}

const writeHeartRate = (userKey: number, day: string, source: typeof WATCH) =>
  writeRecords(service, userKey, samplesEvery('heart_rate', `${day}T12:00Z`, 60, [60], { source, offsetMinutes: 0 }));

/** Archives or deletes the samples before 2026-03-03. */
async function ageOut(how: 'archiveAfterDays' | 'deleteAfterDays'): Promise<void> {
  await archiveOldData({
    pool: service.pool,
    priorities: service.parts.priorities,
    settings: { archiveAfterDays: null, deleteAfterDays: null, [how]: 10 },
    nowMs: Date.parse('2026-03-13T12:00Z'),
    log: { error: (fields) => expect.fail(JSON.stringify(fields)) },
  });
}

async function follow({ copy }: Copy, keepAgedOut: boolean): Promise<void> {
  const unnumbered = 'select from change where ordinal is null';
  await expect.poll(async () => (await service.pool.query(unnumbered)).rowCount).toBe(0);
  await snapshotThenFollow(api(), copy, { untilCurrent: true, keepAgedOut });
}

describe.each([
  ['in memory', inMemory],
  ['in Postgres', inPostgres],
] as const)('a copy %s', (_, open) => {
  it.each(['archiveAfterDays', 'deleteAfterDays'] as const)('keeps samples after %s if requested', async (how) => {
    const [keeping, other] = [await open(), await open()];
    const user = await newUser();
    await follow(keeping, true);
    await follow(other, false);
    await ageOut(how);
    await follow(keeping, true);
    await follow(other, false);
    expect(await keeping.days(user.id)).toEqual(['2026-03-01', '2026-03-04']);
    expect(await other.days(user.id)).toEqual(['2026-03-04']);
    expect(await keeping.state(user.id)).toBe('equal');
    expect(await other.state(user.id)).toBe('equal');
  });

  it('keeps aged-out samples when neighboring days are replaced', async () => {
    const keeping = await open();
    const user = await newUser();
    await follow(keeping, true);
    await ageOut('archiveAfterDays');
    await writeHeartRate(user.userKey, '2026-02-28', PHONE);
    await writeHeartRate(user.userKey, '2026-03-05', WATCH);
    await follow(keeping, true);
    expect(await keeping.days(user.id)).toEqual(['2026-02-28', '2026-03-01', '2026-03-04', '2026-03-05']);
    expect(await keeping.state(user.id)).toBe('equal');
  });

  it("compares another provider's daily total of an archived day", async () => {
    const keeping = await open();
    const user = await newUser();
    const total = { source: { provider: 'garmin' } as const, kind: 'daily_total' as const, offsetMinutes: 0 };
    await writeRecords(service, user.userKey, [sample('heart_rate', '2026-03-01T00:00Z', 58, total)]);
    await follow(keeping, true);
    await ageOut('archiveAfterDays');
    await follow(keeping, true);
    expect(await keeping.days(user.id)).toEqual(['2026-03-01', '2026-03-01', '2026-03-04']);
    expect(await keeping.state(user.id)).toBe('equal');
  });

  it('keeps aged-out samples in a new snapshot', async () => {
    const keeping = await open();
    const user = await newUser();
    await follow(keeping, true);
    await ageOut('archiveAfterDays');
    await follow(keeping, true);
    await keeping.copy.replaceUser(user.id, () => readSnapshot(api(), user.id));
    expect(await keeping.days(user.id)).toEqual(['2026-03-01', '2026-03-04']);
    expect(await keeping.state(user.id)).toBe('equal');
  });

  it("deletes retained samples when the provider's data is deleted", async () => {
    const keeping = await open();
    const user = await newUser();
    await follow(keeping, true);
    await ageOut('archiveAfterDays');
    await follow(keeping, true);
    await service.parts.writer.deleteProvider(user.userKey, WATCH.provider);
    await follow(keeping, true);
    expect(await keeping.days(user.id)).toEqual([]);
    expect(await keeping.state(user.id)).toBe('equal');
  });
});
