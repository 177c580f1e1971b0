import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { heartRates, payload, reading, WATCH } from './push-payloads.js';

const FAULTY = new URL('../support/looping-decisions.mjs', import.meta.url);

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture({ decide: { limitMs: 4000, program: FAULTY } });
});
afterAll(() => fixture.close());

/** Returns enough readings to require a worker thread. The first reading makes the thread loop. */
const looping = () =>
  payload('apple', {
    records: [
      reading('HKQuantityTypeIdentifierHeartRate', '2026-10-31T00:00:00Z', 113.5, 'count/min', { source: WATCH }),
      ...heartRates(600),
    ],
  });

test('fails only the batch above the time limit', async () => {
  const [user, other] = [await fixture.createUser(), await fixture.createUser()];
  const failing = await fixture.push(user, looping());
  const later = await fixture.push(user, payload('apple', { records: heartRates(3) }));
  const runs = await Promise.all(
    [1, 700].map((count) => fixture.pushed(other, payload('apple', { records: heartRates(count) }))),
  );
  expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
  const failed = await fixture.ended(failing);
  expect(failed).toMatchObject({ status: 'failed', metadata: { reason: 'decide_limit_exceeded' } });
  expect(failed.error).toMatch(/compare/);
  expect(Date.parse(String(runs[0]?.ended_at))).toBeLessThan(Date.parse(String(failed.ended_at)));
  expect(await fixture.ended(later)).toMatchObject({ status: 'success' });
  const [stored] = await fixture.rows<{ count: number }>(
    'select count(*)::int as count from sample join health_user using (user_key) where id = $1',
    [user],
  );
  expect(stored?.count).toBe(3);
});
