import { fromDayNumber, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { sample } from '../support/records.js';
import type { Call } from '../support/service.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

const NOTIFICATIONS = '/api/v1/providers/google/webhooks';
const dayAgo = (days: number) => fromDayNumber(Math.floor(Date.now() / MS_PER_DAY) - days);

let fixture: ConnectionFixture;
let developer: Call;
beforeAll(async () => {
  fixture = await openConnectionFixture({ role: 'all' });
  developer = await fixture.asDeveloper();
});
afterAll(() => fixture.close());

const activity = async (query = '') => {
  const { status, body } = await developer('GET', `/api/v1/dashboard/activity${query}`);
  expect(status).toBe(200);
  return body;
};

test('counts samples by measurement day and runs by creation day', async () => {
  const noon = (days: number) => `${dayAgo(days)}T12:00:00Z`;
  const one = await recordedUser(fixture.service, sample('steps', noon(1), 10), sample('steps', noon(2), 10));
  await recordedUser(fixture.service, sample('steps', noon(1), 10), sample('heart_rate', noon(40), 60));
  for (const [status, days] of [
    ['success', 1],
    ['failed', 1],
    ['failed', 3],
    ['success', 40],
  ] as const) {
    await fixture.service.pool.query(
      `insert into sync_run (run_id, user_key, provider, source, stage, status, created_at)
       values (gen_random_uuid(), $1, 'apple', 'sdk', 'completed', $2, $3)`,
      [one.userKey, status, noon(days)],
    );
  }
  const { days } = await activity('?days=4');
  expect(days).toEqual([
    { date: dayAgo(3), samples: 0, active_users: 0, runs: 1, failed_runs: 1 },
    { date: dayAgo(2), samples: 1, active_users: 1, runs: 0, failed_runs: 0 },
    { date: dayAgo(1), samples: 2, active_users: 2, runs: 2, failed_runs: 1 },
    { date: dayAgo(0), samples: 0, active_users: 0, runs: 0, failed_runs: 0 },
  ]);
  expect((await activity()).days).toHaveLength(14);
});

test('counts a rejected vendor notification', async () => {
  const account = (await fixture.vendor.control.addAccount({ timeZone: 'Europe/Berlin' })).id;
  await fixture.connect(await fixture.createUser(), { account });
  const start = Date.now() - 2 * MS_PER_HOUR;
  const [startTime, endTime] = [start, start + MS_PER_MINUTE].map((ms) => new Date(ms).toISOString());
  const point = { dataType: 'steps', startTime, endTime, value: 900 };
  await fixture.vendor.control.addPoints(account, [point], { notify: true });
  const rejected = await fetch(`${fixture.service.url}${NOTIFICATIONS}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer wrong' },
    body: '{}',
  });
  expect(rejected.status).toBeGreaterThanOrEqual(400);
  // Polls, because the service writes the counts only every ten seconds.
  await expect
    .poll(async () => (await activity()).notifications, { interval: 1_000, timeout: 60_000 })
    .toMatchObject([{ provider: 'google', refused: 1 }]);
});

test('denies the service activity to an API key', async () => {
  expect((await fixture.call('GET', '/api/v1/dashboard/activity')).status).toBe(401);
});
