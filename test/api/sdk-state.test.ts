import { batchOf } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { GALAXY, payload, reading } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const PHONE = { 'X-Device-ID': 'phone-1' };

interface Store {
  provider: string;
  is_stopped: boolean;
  stored: object[];
  record_types: string[];
  batches: Record<string, unknown>[];
}
async function state(user: string, headers: Record<string, string> = PHONE) {
  const response = await fetch(`${fixture.url}/api/v1/sdk/users/${user}/state`, { headers });
  expect(response.status).toBe(200);
  const body = (await response.json()) as {
    accepts: string[];
    limits: object;
    device_id: string | null;
    providers: Store[];
  };
  const storeOf = (provider: string) => body.providers.find((one) => one.provider === provider) as Store;
  return { ...body, storeOf };
}
const push = async (user: string, data: object, headers: Record<string, string> = PHONE, provider = 'samsung') =>
  fixture.ended(await fixture.push(user, payload(provider, data), headers));
const weight = (id: string, at: string, value = 82.25) => reading('WEIGHT', at, value, 'kg', { id, source: GALAXY });

describe("a phone's status", () => {
  it('names the newest item and the number of IDs per type', async () => {
    const user = await fixture.createUser();
    const night = {
      id: 's-1',
      parentId: 'night',
      stage: 'light',
      startDate: '2026-03-09T22:00:00Z',
      endDate: '2026-03-10T05:00:00Z',
      source: GALAXY,
    };
    const ride = {
      id: 'ride',
      type: 'cycling',
      startDate: '2026-03-10T17:00:00Z',
      endDate: '2026-03-10T18:00:00Z',
      source: GALAXY,
      samples: [{ timestamp: '2026-03-10T17:01:00Z', type: 'heartRate', value: 120, unit: 'bpm' }],
    };
    const records = [weight('w-1', '2026-03-10T07:00:00Z'), weight('w-2', '2026-03-11T07:00:00Z', 81)];
    await push(user, { records, sleep: [night], workouts: [ride] });
    await push(user, { records });
    expect((await state(user)).storeOf('samsung').stored).toEqual([
      { type: 'workouts', ids: 1, newest: '2026-03-10T17:00:00.000Z' },
      { type: 'sleep', ids: 1, newest: '2026-03-09T22:00:00.000Z' },
      { type: 'weight', ids: 2, newest: '2026-03-11T07:00:00.000Z' },
    ]);
    await push(user, { deleted: [{ id: 'w-2' }, { id: 'ride' }, { id: 'night' }] });
    expect((await state(user)).storeOf('samsung').stored).toEqual([
      { type: 'weight', ids: 1, newest: '2026-03-10T07:00:00.000Z' },
    ]);
  });

  it('contains no data of other phones, stores or clouds', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '2026-03-10T07:00:00Z')] }, { 'X-Device-ID': 'phone-2' });
    const [row] = await fixture.rows<{ user_key: number }>('select user_key from health_user where id = $1', [user]);
    const source = { provider: 'google', writer: 'google_health_api' } as const;
    const point = {
      kind: 'sample',
      source,
      typeId: 1,
      startMs: Date.parse('2026-03-10T09:00:00Z'),
      value: 60,
    } as const;
    const cloud = batchOf([{ ...point, externalId: 'c-1', sampleKind: 'sample' }]);
    await fixture.writer.write(row?.user_key ?? 0, cloud, { account: 'ada' });
    const { providers } = await state(user);
    expect(providers.map(({ provider, stored, batches }) => [provider, stored, batches])).toEqual([
      ['apple', [], []],
      ['samsung', [], []],
      ['google', [], []],
    ]);
    const unnamed = await state(user, {});
    expect([unnamed.device_id, unnamed.storeOf('samsung').stored]).toEqual([null, []]);
    expect((await state(user, { 'X-Device-ID': 'phone-2' })).storeOf('samsung').stored).toHaveLength(1);
  });

  it('lists the last five batches with counts and codes', async () => {
    const user = await fixture.createUser();
    for (let n = 0; n < 6; n++) await push(user, { records: [weight(`w-${n}`, `2026-03-1${n}T07:00:00Z`)] });
    const bad = { ...weight('w-9', '2026-03-20T07:00:00Z'), value: null };
    const run = await push(user, { records: [bad, weight('w-8', '2026-03-19T07:00:00Z')], deleted: [{ id: 'w-0' }] });
    const { batches } = (await state(user)).storeOf('samsung');
    expect(batches).toHaveLength(5);
    expect(batches[0]).toMatchObject({
      batch_id: run.run_id,
      status: 'partial',
      reason: null,
      counts: { records_saved: 1, deleted: 1, not_found: 0, dropped_count: 1 },
      codes: { missing: 1 },
    });
    expect(JSON.stringify(batches)).not.toContain('82.25');
  });

  it('counts all rejected items of a batch by their codes', async () => {
    const user = await fixture.createUser();
    const missing = Array.from({ length: 250 }, (_, n) => ({
      ...weight(`w-${n}`, '2026-03-20T07:00:00Z'),
      value: null,
    }));
    const implausible = Array.from({ length: 3 }, (_, n) => weight(`i-${n}`, '2026-03-21T07:00:00Z', 90_000 + n));
    await push(user, { records: [...missing, ...implausible] });
    const { batches } = (await state(user)).storeOf('samsung');
    expect(batches[0]).toMatchObject({ counts: { dropped_count: 253 }, codes: { missing: 250, implausible: 3 } });
  });

  it('reports that the user disconnected the provider', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '2026-03-10T07:00:00Z')] });
    expect((await state(user)).storeOf('samsung').is_stopped).toBe(false);
    await fixture.rows(
      `update connection set status = 'revoked', status_reason = 'user_disconnected'
        where user_key = (select user_key from health_user where id = $1)`,
      [user],
    );
    const run = await push(user, { records: [weight('w-2', '2026-03-11T07:00:00Z')] });
    expect(run.status).toBe('failed');
    const { is_stopped: isStopped, batches, stored } = (await state(user)).storeOf('samsung');
    expect([isStopped, stored.length, batches[0]?.reason]).toEqual([true, 1, 'connection_revoked']);
  });

  it('reports the same push features as the response to a push', async () => {
    const user = await fixture.createUser();
    const { accepts, limits, storeOf } = await state(user);
    expect(accepts).toEqual(expect.arrayContaining(['records', 'sleep', 'workouts', 'deleted']));
    expect(limits).toEqual({
      max_body_bytes: 20 * 2 ** 20,
      max_deletions: 10_000,
      max_deleted_range_days: 31,
      max_sessions_of_night: 200,
      max_stages_of_night: 5_000,
      max_readings_of_instant: 1_000,
      max_sessions_of_second: 1_000,
      max_parts_of_workout: 10_000,
      max_sources: 1_000,
    });
    expect(storeOf('apple').record_types).toContain('HKQuantityTypeIdentifierStepCount');
    expect(storeOf('google').record_types).toContain('STEP_COUNT');
    const { status, body } = await fixture.send(user, JSON.stringify(payload('apple', {})), PHONE);
    expect([status, body.accepts]).toEqual([202, accepts]);
  });
});
