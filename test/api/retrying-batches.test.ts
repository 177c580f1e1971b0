import type { ConnectionResponse, SyncRun, SyncRunSummary } from '@healthd/schemas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, reading, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const get = <T>(path: string) => fixture.read<T>(`/api/v1${path}`);
const steps = reading('HKQuantityTypeIdentifierStepCount', '2026-11-01T08:00:00Z', 12, 'count', { source: WATCH });
const errorOf = (user: string) =>
  fixture.rows<Pick<ConnectionResponse, 'last_error' | 'failing_since'>>(
    'select last_error, failing_since from connection c join health_user u using (user_key) where u.id = $1',
    [user],
  );

it("shows an interrupted batch's next attempt until the batch is stored", async () => {
  const user = await fixture.createUser();
  await fixture.pushed(user, payload('apple', { records: [steps] }));
  await fixture.pool.query(`
    create function refuse() returns trigger language plpgsql as
      'begin raise exception ''out of order for this test''; end';
    create trigger refuse before insert on sample for each row execute function refuse()`);
  const later = reading('HKQuantityTypeIdentifierStepCount', '2026-11-01T09:00:00Z', 7, 'count', { source: WATCH });
  const runId = await fixture.push(user, payload('apple', { records: [later] }));
  let waiting: SyncRunSummary[] = [];
  await expect
    .poll(async () => {
      waiting = await get<SyncRunSummary[]>(`/users/${user}/sync/runs?retrying=true`);
      return waiting.length;
    })
    .toBe(1);
  expect(waiting[0]).toMatchObject({
    run_id: runId,
    source: 'sdk',
    status: 'in_progress',
    retrying: { reason: 'server_fault', attempt: 2, max_attempts: null },
  });
  expect(waiting[0]?.message).toMatch(/^Interrupted by a server error/);
  expect(await errorOf(user)).toEqual([{ last_error: waiting[0]?.message, failing_since: expect.any(Date) }]);

  await fixture.pool.query('drop trigger refuse on sample; drop function refuse');
  const run: SyncRun = await fixture.ended(runId);
  expect(run).toMatchObject({ status: 'success', retrying: null });
  expect(await errorOf(user)).toEqual([{ last_error: null, failing_since: null }]);
});
