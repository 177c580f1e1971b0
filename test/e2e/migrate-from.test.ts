import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchHealthd, newHome, runHealthd } from '../support/daemon.js';
import { type OpenWearablesDatabase, openWearablesDatabase } from '../support/open-wearables/database.js';
import { addEvents } from '../support/open-wearables/events.js';
import { ANNA, addPeople, BOB, idOf } from '../support/open-wearables/users.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storedRows } from '../support/stored-rows.js';

const KEYS = {
  SECRET_KEY: 's'.repeat(32),
  SIGNING_KEY: 's'.repeat(32),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const CROWD = 4;
/** Number of heart rates per user, enough for several batches. */
const HEART_RATES = 21_000;

let there: OpenWearablesDatabase;
let address: string;
beforeAll(async () => {
  there = await openWearablesDatabase();
  await addPeople(there);
  await addEvents(there);
  await addCrowd();
  const url = new URL(there.url);
  url.searchParams.set('application_name', 'a test');
  address = url.href;
});
afterAll(() => there.drop());

async function addCrowd(): Promise<void> {
  const users = Array.from({ length: CROWD }, (_, index) => idOf('crowd', index));
  await there.add(
    'user',
    users.map((id) => ({ id, created_at: '2025-06-01T00:00:00Z' })),
  );
  await there.add(
    'data_source',
    users.map((id) => ({ id: idOf('source of', id), user_id: id, provider: 'whoop', source: 'whoop' })),
  );
  await there.pool.query(
    `insert into data_point_series (id, data_source_id, series_type_definition_id, recorded_at, zone_offset, value)
     select gen_random_uuid(), s.id, 1, timestamptz '2025-01-01' + n * interval '1 minute', '+01:00', 50 + n % 70
       from data_source s, generate_series(1, $1::int) n where s.provider = 'whoop' and s.user_id = any ($2::uuid[])`,
    [HEART_RATES, users],
  );
}

const migrate = (home: ReturnType<typeof newHome>, target: TestDatabase, ...options: string[]) =>
  runHealthd(home, ['migrate-from', address, ...options], { ...KEYS, DATABASE_URL: target.url }, 300);

async function everything({ pool }: TestDatabase) {
  const { rows } = await pool.query<{ id: string }>('select id from health_user order by id');
  const stored = [];
  for (const { id } of rows) stored.push({ id, stored: await storedRows(pool, id) });
  return stored;
}

it('a killed and restarted migration equals an uninterrupted migration', async () => {
  const home = newHome();
  const whole = await createTestDatabase();
  const broken = await createTestDatabase();
  try {
    const reported = await migrate(home, whole);
    expect(reported).toMatchObject({ code: 0, stderr: '' });
    expect(reported.stdout).toMatch(/^ {2}Users +7$/m);
    expect(reported.stdout).toMatch(/Nothing was changed\. To copy: healthd migrate-from '\S+=a\+test' --yes\n$/);
    expect(await everything(whole)).toEqual([]);

    // Turns the feed on, as a service with FEED=on does.
    await whole.pool.query('update feed_state set is_on = true');
    const done = await migrate(home, whole, '--yes');
    expect(done.code).toBe(0);
    const { rows: recorded } = await whole.pool.query(
      'select kind, count(distinct user_key)::int as users from change where is_data group by kind order by kind',
    );
    expect(recorded).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'samples' }),
        expect.objectContaining({ kind: 'sleep' }),
      ]),
    );
    expect(recorded.find(({ kind }) => kind === 'samples').users).toBeGreaterThanOrEqual(CROWD);
    expect(done.stdout).toMatch(/^ {2}Users: 7 new, 0 here already, 0 erased here and not copied\.$/m);

    const env = { ...KEYS, DATABASE_URL: broken.url };
    const { child, ended } = launchHealthd(home, ['migrate-from', address, '--yes'], env);
    const halfDone = async () => {
      const { rows } = await broken.pool.query<{ samples: number }>('select count(*)::int as samples from sample');
      return (rows[0]?.samples ?? 0) > (CROWD / 2) * HEART_RATES;
    };
    await expect.poll(halfDone, { interval: 20 }).toBe(true);
    child.kill('SIGKILL');
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
    const between = await everything(broken);
    expect(between.length).toBeLessThan(7);

    const again = await migrate(home, broken, '--yes');
    expect(again.code).toBe(0);
    const expected = await everything(whole);
    expect(expected.map(({ id }) => id)).toEqual(expect.arrayContaining([ANNA, BOB]));
    expect(await everything(broken)).toEqual(expected);
    const { rows } = await broken.pool.query('select count(*)::int as keys from api_key');
    expect(rows).toEqual([{ keys: 1 }]);
  } finally {
    await whole.drop();
    await broken.drop();
  }
});

it('explains a wrong URL without its password', async () => {
  const home = newHome();
  const target = await createTestDatabase();
  const password = 'made-up-secret';
  try {
    const of = (sourceUrl: string, ...options: string[]) =>
      runHealthd(home, ['migrate-from', sourceUrl, ...options], { ...KEYS, DATABASE_URL: target.url });
    const away = await of(`postgres://reader:${password}@127.0.0.1:1/open_wearables`);
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toMatch(
      /^healthd: Open Wearables at postgres:\/\/reader:PASSWORD@127\.0\.0\.1:1\/open_wearables: .*ECONNREFUSED.*\n$/,
    );
    const odd = await of(`reader:${password}@db`);
    expect(odd).toMatchObject({ code: 1, stdout: '' });
    expect(odd.stderr).toMatch(/^healthd: [^\n]*postgres:\/\/user:password@[^\n]*\n$/);
    const itself = await of(target.url);
    expect(itself.code).toBe(1);
    expect(itself.stderr).toMatch(/is not an Open Wearables database that this version can read\. Missing: user,/);
    const both = await of(address, '--yes', '--dry-run');
    expect(both.code).toBe(1);
    const real = new URL(target.url).password;
    for (const { stdout, stderr } of [away, odd, itself, both]) {
      expect(stdout + stderr).not.toContain(password);
      if (real !== '') expect(stdout + stderr).not.toContain(real);
    }
  } finally {
    await target.drop();
  }
});
