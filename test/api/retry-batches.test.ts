import type { RunRetried } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedRows } from '../support/stored-rows.js';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, reading, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
  // Makes the batches of selected users look as if they had killed their process repeatedly: ten attempts in an hour.
  await fixture.pool.query(`
    create table spent (user_id uuid);
    create function spend() returns trigger language plpgsql as $$ begin
      if exists (select from spent join health_user on id = user_id where user_key = new.user_key) then
        new.attempts := 10;
        new.received_at := now() - interval '1 hour';
      end if;
      return new;
    end $$;
    create trigger spend before insert on device_batch for each row execute function spend()`);
});
afterAll(() => fixture.close());

async function retry(runId: string): Promise<{ status: number; body: RunRetried & { detail: string } }> {
  const response = await fetch(`${fixture.url}/api/v1/sync/runs/${runId}/retry`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as RunRetried & { detail: string } };
}

async function retried(runId: string) {
  const { status, body } = await retry(runId);
  expect(status, body.detail).toBe(202);
  return fixture.ended(body.run_id);
}

const steps = (value: unknown, minute = 0) => {
  const at = `2026-11-01T08:${String(minute).padStart(2, '0')}:00Z`;
  return reading('HKQuantityTypeIdentifierStepCount', at, value, 'count', { source: WATCH });
};
const workout = (calories: number) => ({
  id: 'run-1',
  type: 'HKWorkoutActivityTypeRunning',
  zoneOffset: '+01:00',
  source: WATCH,
  startDate: '2026-11-01T09:00:00Z',
  endDate: '2026-11-01T09:30:00Z',
  values: [{ type: 'activeEnergyBurned', unit: 'kcal', value: calories }],
});

/** Pushes a batch that the service abandons. */
async function abandoned(user: string, body: object) {
  await fixture.pool.query('insert into spent values ($1)', [user]);
  const run = await fixture.pushed(user, body);
  await fixture.pool.query('delete from spent where user_id = $1', [user]);
  expect(run).toMatchObject({ status: 'failed', metadata: { reason: 'gave_up' } });
  return run;
}

const stepsOf = async (user: string) =>
  fixture.rows<{ value: number; day: number }>(
    `select s.value, (select sum(sample_sum) from day_value d where d.user_key = s.user_key and d.type_id = s.type_id) as day
       from sample s join health_user u using (user_key) where u.id = $1 order by start_at`,
    [user],
  );

describe('retrying a batch of a device', () => {
  it('stores an abandoned batch exactly once', async () => {
    const user = await fixture.createUser();
    const failed = await abandoned(user, payload('apple', { records: [steps(120), steps(80, 1)] }));
    expect(await stepsOf(user)).toEqual([]);
    const run = await retried(failed.run_id);
    expect(run).toMatchObject({ status: 'success', source: 'sdk', metadata: { retry_of: failed.run_id } });
    expect(run.metadata.batch_id).toBe(run.run_id);
    expect(await stepsOf(user)).toEqual([
      { value: 120, day: 200 },
      { value: 80, day: 200 },
    ]);
    expect(await fixture.read(`/api/v1/sync/runs/${failed.run_id}`)).toEqual(failed);
    expect(await fixture.rows('select state, body from device_batch where batch_id = $1', [run.run_id])).toEqual([
      { state: 'done', body: null },
    ]);
    expect(await retry(failed.run_id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(run.run_id) },
    });
    expect(await retry(run.run_id)).toMatchObject({ status: 409 });
    const stages = await fixture.rows(
      "select event ->> 'stage' as stage from sync_event where run_id = $1 order by seq",
      [run.run_id],
    );
    expect(stages.map((row) => (row as { stage: string }).stage)).toEqual(['queued', 'started', 'completed']);
  });

  it('stores a partly stored batch without duplicates', async () => {
    const user = await fixture.createUser();
    const body = payload('apple', { records: [steps(120), steps('many', 1)], workouts: [workout(200)] });
    const partial = await fixture.pushed(user, body);
    expect(partial.status).toBe('partial');
    const before = await storedRows(fixture.pool, user);
    const run = await retried(partial.run_id);
    expect(run).toMatchObject({ status: 'partial', metadata: { stored: { samples: { inserted: 0, updated: 0 } } } });
    expect(await storedRows(fixture.pool, user)).toEqual(before);
  });

  it('does not undo the changes of newer batches', async () => {
    const user = await fixture.createUser();
    const morning = payload('apple', {
      records: [steps(120), steps(7, 2), steps('many', 1)],
      workouts: [workout(200)],
    });
    const partial = await fixture.pushed(user, morning);
    const evening = payload('apple', { records: [steps(900)], workouts: [workout(350)] });
    expect((await fixture.pushed(user, evening)).status).toBe('success');
    const before = await storedRows(fixture.pool, user);
    expect((await retried(partial.run_id)).status).toBe('partial');
    expect(await storedRows(fixture.pool, user)).toEqual(before);
    expect((await stepsOf(user))[0]).toEqual({ value: 900, day: 907 });

    const other = await fixture.createUser();
    const lost = await abandoned(other, morning);
    expect((await fixture.pushed(other, evening)).status).toBe('success');
    await retried(lost.run_id);
    expect(await storedRows(fixture.pool, other)).toEqual(before);
  });

  it('corrects stored data if nothing newer arrived', async () => {
    const user = await fixture.createUser();
    const earlier = await fixture.pushed(user, payload('apple', { records: [steps(120)] }));
    await fixture.pool.query("update sync_run set created_at = now() - interval '2 hours' where run_id = $1", [
      earlier.run_id,
    ]);
    const lost = await abandoned(user, payload('apple', { records: [steps(900)] }));
    expect((await retried(lost.run_id)).status).toBe('success');
    expect(await stepsOf(user)).toEqual([{ value: 900, day: 900 }]);
  });

  it('responds 409 for an ended connection', async () => {
    const user = await fixture.createUser();
    const partial = await fixture.pushed(user, payload('apple', { records: [steps(1), steps('many', 1)] }));
    await fixture.pool.query(
      `update connection set status = 'revoked', status_reason = 'user_disconnected'
        where user_key = (select user_key from health_user where id = $1)`,
      [user],
    );
    expect(await retry(partial.run_id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('connection was ended') },
    });
  });

  it('responds 410 without the body', async () => {
    const user = await fixture.createUser();
    const partial = await fixture.pushed(user, payload('apple', { records: [steps(1), steps('many', 1)] }));
    await fixture.pool.query('update device_batch set body = null where batch_id = $1', [partial.run_id]);
    expect(await retry(partial.run_id)).toMatchObject({ status: 410 });
    await fixture.pool.query('delete from device_batch where batch_id = $1', [partial.run_id]);
    expect(await retry(partial.run_id)).toMatchObject({ status: 410 });
  });
});

describe('a retried batch with deletions and newer data', () => {
  const edited = (value: number, minute = 0) => ({ ...steps(value, minute), id: 'steps-1' });
  const edit = (...records: object[]) => payload('apple', { deleted: [{ id: 'steps-1' }], records });
  const values = async (user: string) => (await stepsOf(user)).map(({ value }) => value);

  const range = {
    type: 'HKQuantityTypeIdentifierStepCount',
    start: '2026-11-01T08:00:00Z',
    end: '2026-11-01T09:00:00Z',
    source: WATCH,
  };

  it('keeps newer items in a deleted range', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { records: [steps(5, 1)] }));
    const partial = await fixture.pushed(user, payload('apple', { deleted: [range], records: [steps('many')] }));
    expect(partial).toMatchObject({ status: 'partial', metadata: { deleted: 1 } });
    await fixture.pushed(user, payload('apple', { records: [steps(900)] }));
    expect(await retried(partial.run_id)).toMatchObject({ status: 'partial', metadata: { deleted: 0, not_found: 0 } });
    expect(await stepsOf(user)).toEqual([{ value: 900, day: 900 }]);
  });

  it('stores each minute of a deleted range once', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { records: [steps(120), steps(40, 1)] }));
    const corrected = { ...steps(100), id: 'corrected' };
    const replacing = payload('apple', { deleted: [range], records: [corrected, steps(40, 1), steps(30, 5)] });
    const lost = await abandoned(user, replacing);
    await fixture.pushed(user, payload('apple', { records: [steps(7, 20)] }));
    expect(await retried(lost.run_id)).toMatchObject({ status: 'success', metadata: { deleted: 0, not_found: 0 } });
    expect(await values(user)).toEqual([120, 40, 30, 7]);
  });

  it.each([
    ['at the same start', 0],
    ['at another start', 5],
  ])('keeps a newer edit of an edited item %s', async (_where, minute) => {
    const user = await fixture.createUser();
    const partial = await fixture.pushed(user, edit(edited(120), steps('many', 1)));
    expect(partial.status).toBe('partial');
    expect((await fixture.pushed(user, edit(edited(900, minute)))).status).toBe('success');
    await retried(partial.run_id);
    expect(await stepsOf(user)).toEqual([{ value: 900, day: 900 }]);
  });

  const slept = (stage: string, more: object = {}) => ({
    id: 'sleep-1',
    stage,
    startDate: '2026-11-01T22:00:00Z',
    endDate: '2026-11-02T05:00:00Z',
    zoneOffset: '+02:00',
    source: WATCH,
    ...more,
  });
  const stagesOf = (user: string) =>
    fixture.rows(
      `select stage, offset_minutes from sleep_stage join health_user u using (user_key) where u.id = $1 order by 1`,
      [user],
    );

  it.each([
    ['stage', slept('deep')],
    ['offset', slept('light', { zoneOffset: '+00:00' })],
  ])('keeps the newer %s of a sleep', async (_what, older) => {
    const user = await fixture.createUser();
    const lost = await abandoned(user, payload('apple', { deleted: [{ id: 'sleep-1' }], sleep: [older] }));
    await fixture.pushed(user, payload('apple', { sleep: [slept('light')] }));
    expect(await retried(lost.run_id)).toMatchObject({ status: 'success' });
    expect(await stagesOf(user)).toEqual([{ stage: 'light', offset_minutes: 120 }]);
  });

  it('adds its stages even if its deleted range contains time in bed', async () => {
    const user = await fixture.createUser();
    const inBed = slept('in_bed', { id: 'bed-1' });
    await fixture.pushed(user, payload('apple', { sleep: [inBed] }));
    const night = { type: 'SLEEP', start: '2026-11-01T12:00:00Z', end: '2026-11-02T12:00:00Z', source: WATCH };
    const lost = await abandoned(user, payload('apple', { deleted: [night], sleep: [inBed, slept('light')] }));
    await fixture.pushed(user, payload('apple', { records: [steps(7, 20)] }));
    await retried(lost.run_id);
    expect(await stagesOf(user)).toEqual([
      { stage: 'in_bed', offset_minutes: 120 },
      { stage: 'light', offset_minutes: 120 },
    ]);
  });

  it('skips the score of a night that a newer batch deleted', async () => {
    const user = await fixture.createUser();
    const scored = slept('light', { values: [{ type: 'sleepScore', value: 84, unit: 'score' }] });
    const lost = await abandoned(user, payload('apple', { sleep: [scored], records: [steps(120)] }));
    const night = { type: 'SLEEP', start: '2026-11-01T12:00:00Z', end: '2026-11-02T12:00:00Z', source: WATCH };
    await fixture.pushed(user, payload('apple', { deleted: [night], records: [steps(7, 20)] }));
    await retried(lost.run_id);
    expect(await values(user)).toEqual([120, 7]);
    expect(await stagesOf(user)).toEqual([]);
    const scores = 'select value from health_score join health_user u using (user_key) where u.id = $1';
    expect(await fixture.rows(scores, [user])).toEqual([]);
  });

  it('stores a minute although the previous minute overlaps its first milliseconds', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { records: [{ ...steps(120), endDate: '2026-11-01T08:01:00.400Z' }] }));
    const second = { ...steps(40, 1), endDate: '2026-11-01T08:02:00Z' };
    const lost = await abandoned(user, payload('apple', { deleted: [range], records: [second] }));
    await fixture.pushed(user, payload('apple', { records: [steps(7, 20)] }));
    await retried(lost.run_id);
    expect(await values(user)).toEqual([120, 40, 7]);
  });

  const IPHONE = {
    ...WATCH,
    deviceName: 'iPhone',
    deviceModel: 'iPhone17,1',
    deviceType: 'phone',
    appId: 'com.apple.health.9F',
  };

  it('stores a minute that another device counted too', async () => {
    const user = await fixture.createUser();
    const ofPhone = { ...steps(80), id: 'phone-steps', source: IPHONE };
    const deleted = [range, { ...range, source: IPHONE }];
    const lost = await abandoned(user, payload('apple', { deleted, records: [steps(120)] }));
    await fixture.pushed(user, payload('apple', { records: [ofPhone] }));
    await retried(lost.run_id);
    expect((await values(user)).sort((a, b) => a - b)).toEqual([80, 120]);
  });

  it('skips items in a range that a newer batch deleted', async () => {
    const user = await fixture.createUser();
    const lost = await abandoned(user, payload('apple', { records: [steps(120), steps(40, 30)] }));
    const newer = { ...range, end: '2026-11-01T08:20:00Z' };
    await fixture.pushed(user, payload('apple', { deleted: [newer], records: [steps(130, 1)] }));
    await retried(lost.run_id);
    expect(await values(user)).toEqual([130, 40]);
  });

  it('skips items in a deleted range of a newer retried batch', async () => {
    const user = await fixture.createUser();
    const first = await abandoned(user, payload('apple', { records: [steps(120)] }));
    const second = await abandoned(user, payload('apple', { deleted: [range], records: [steps(130, 1)] }));
    await fixture.pushed(user, payload('apple', { records: [steps(8, 50)] }));
    await retried(second.run_id);
    await retried(first.run_id);
    expect(await values(user)).toEqual([130, 8]);
  });

  it('stores items in a range that an older batch deleted', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { deleted: [range], records: [steps(7, 40)] }));
    // Makes the range older than the abandoned batch, which was received an hour ago.
    await fixture.pool.query("update pushed_range set received_at = now() - interval '2 hours'");
    const lost = await abandoned(user, payload('apple', { records: [steps(120)] }));
    await fixture.pushed(user, payload('apple', { records: [steps(8, 41)] }));
    await retried(lost.run_id);
    expect(await values(user)).toEqual([120, 7, 8]);
  });

  it('does not restore an edited item that a newer batch deleted', async () => {
    const user = await fixture.createUser();
    const partial = await fixture.pushed(user, edit(edited(120), steps('many', 1)));
    expect(await values(user)).toEqual([120]);
    await fixture.pushed(user, edit());
    await retried(partial.run_id);
    expect(await values(user)).toEqual([]);
  });

  it('deletes an ID that no earlier deletion contained', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { records: [edited(120)] }));
    const lost = await abandoned(user, edit());
    await fixture.pushed(user, payload('apple', { records: [steps(7, 2)] }));
    expect(await retried(lost.run_id)).toMatchObject({ status: 'success', metadata: { deleted: 1 } });
    expect(await values(user)).toEqual([7]);
  });
});
