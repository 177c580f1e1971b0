import { AllUserCounts } from '@healthd/daemon/query';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { GARMIN, sample } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let anna: string;
beforeAll(async () => {
  service = await startTestService();
  ({ id: anna } = await recordedUser(
    service,
    sample('steps', '2026-03-10T08:00:00Z', 100),
    sample('steps', '2026-03-10T09:00:00Z', 50),
    sample('heart_rate', '2026-03-11T08:00:00Z', 61),
    sample('steps', '2026-03-10T08:00:00Z', 200, { source: GARMIN }),
  ));
  await recordedUser(service, sample('steps', '2026-03-10T08:00:00Z', 7));
});
afterAll(() => service.stop());

const volume = async (query = '') => (await service.call('GET', `/api/v1/data/volume${query}`)).body;

test('counts users, days and samples by provider, by user and by both', async () => {
  expect(await volume()).toEqual({ active_connections: 0, users: 2, days: 3, samples: 5 });
  expect(await volume('?provider=apple')).toMatchObject({ users: 2, days: 3, samples: 4 });
  expect(await volume('?provider=garmin')).toMatchObject({ users: 1, days: 1, samples: 1 });
  expect(await volume(`?user_id=${anna}`)).toMatchObject({ users: 1, days: 2, samples: 4 });
  expect(await volume(`?user_id=${anna}&provider=apple`)).toMatchObject({ users: 1, days: 2, samples: 3 });
});

test('counts only active connections that match the filters', async () => {
  await service.pool.query(
    `insert into connection (user_key, provider, status)
     select user_key, provider, status from health_user, (values ('garmin', 'active'), ('oura', 'revoked')) c (provider, status)
     where id = $1`,
    [anna],
  );
  expect(await volume()).toMatchObject({ active_connections: 1 });
  expect(await volume(`?user_id=${anna}&provider=garmin`)).toMatchObject({ active_connections: 1 });
  expect(await volume('?provider=oura')).toMatchObject({ active_connections: 0 });
});

test('counts zero for an unknown user', async () => {
  expect(await volume('?user_id=00000000-0000-4000-8000-000000000000')).toEqual({
    active_connections: 0,
    users: 0,
    days: 0,
    samples: 0,
  });
});

test('rejects an unknown provider', async () => {
  expect((await service.call('GET', '/api/v1/data/volume?provider=acme')).status).toBe(422);
});

test('queues counts of all users, but not of a single user', async () => {
  const developer = (await service.logIn()).call;
  const { database } = service;
  const locking = await database.pool.connect();
  const waiting = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%day_value%'`,
    );
    return rows[0]?.count;
  };
  try {
    await locking.query('begin');
    await locking.query('lock table day_value in access exclusive mode');
    const requests = [volume(), volume(), volume('?provider=apple')];
    const change = { providers: [{ provider: 'garmin', priority: 1 }] };
    const previews = [1, 2].map(() => developer('POST', '/api/v1/priorities/preview', change));
    await expect.poll(waiting).toBe(1);
    const own = volume(`?user_id=${anna}`);
    await expect.poll(waiting).toBe(2);
    await locking.query('rollback');
    const [all, same, apple] = await Promise.all(requests);
    expect(same).toEqual(all);
    expect([all, apple]).toMatchObject([{ samples: 5 }, { samples: 4 }]);
    expect(await own).toMatchObject({ samples: 4 });
    expect((await Promise.all(previews)).map(({ status }) => status)).toEqual([200, 200]);
  } finally {
    locking.release(true);
  }
});

test('recovers after timeouts of slow and queued total counts', async () => {
  const { pool } = service.database;
  const counts = new AllUserCounts(pool, 0.2);
  const slow = [counts.row('select pg_sleep(60)', []), counts.row('select pg_sleep(61)', [])];
  for (const end of await Promise.allSettled(slow)) {
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  expect(await new AllUserCounts(pool).row('select 1 as one', [])).toEqual({ one: 1 });
  expect(await counts.row('select 2 as two', [])).toEqual({ two: 2 });
});
