import type { SyncHistory, SyncRun, SyncStatusEvent, TimeSeriesSample } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { samplesEvery } from '../support/records.js';
import { startTestService } from '../support/service.js';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, reading } from './push-payloads.js';

const STEPS = 'HKQuantityTypeIdentifierStepCount';
const COUNTS = { records_saved: 0, workouts_saved: 0, sleep_saved: 0, dropped_count: 0 };

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const step = (source: object) => reading(STEPS, '2026-11-01T08:00:00Z', 12, 'count', { source });

describe('the events of a push', () => {
  const eventsOf = async (user: string) =>
    (await fixture.read<SyncStatusEvent[]>(`/api/v1/users/${user}/sync/recent`)).map(({ stage, metadata }) => {
      const { batch_id, records_saved, workouts_saved, sleep_saved, dropped_count } = metadata;
      return { stage, batch_id, records_saved, workouts_saved, sleep_saved, dropped_count };
    });

  it('all contain the batch ID and four counters', async () => {
    const user = await fixture.createUser();
    const { run_id: batch_id } = await fixture.pushed(
      user,
      payload('apple', { records: [step({ deviceModel: 'iPhone15,2' }), { type: STEPS }] }),
    );
    expect(await eventsOf(user)).toEqual([
      { stage: 'completed', batch_id, ...COUNTS, records_saved: 1, dropped_count: 1 },
      { stage: 'started', batch_id, ...COUNTS },
      { stage: 'queued', batch_id, ...COUNTS },
    ]);
  });

  it('contain the four counters if the batch is unreadable', async () => {
    const user = await fixture.createUser();
    const { run_id: batch_id } = await fixture.pushed(user, { provider: 'apple', data: 7 });
    expect((await eventsOf(user))[0]).toEqual({ stage: 'failed', batch_id, ...COUNTS });
  });
});

describe('the source of a phone\u2019s own device', () => {
  it.each([
    [
      'its name',
      { name: 'Ada\u2019s iPhone', deviceName: 'iPhone', appId: 'com.apple.health.1F' },
      'Ada\u2019s iPhone',
    ],
    ['its device name without a name', { deviceName: 'iPhone', appId: 'com.apple.health.1F' }, 'iPhone'],
    [
      'its app ID without a device name',
      { appId: 'com.apple.health.1F', bundleIdentifier: 'com.apple.Health' },
      'com.apple.health.1F',
    ],
    ['its bundle identifier without an app ID', { bundleIdentifier: 'com.apple.health.2F' }, 'com.apple.health.2F'],
    ['null without any name', {}, null],
  ])('is %s', async (_name, names, shown) => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { records: [step({ ...names, deviceModel: 'iPhone15,2' })] }));
    const range = 'start_time=2026-11-01&end_time=2026-11-02';
    const { data } = await fixture.read<{ data: TimeSeriesSample[] }>(
      `/api/v1/users/${user}/timeseries?types=steps&${range}`,
    );
    expect(data.map(({ source }) => source)).toMatchObject([{ source: shown, device_name: 'iPhone 14 Pro' }]);
    const { items } = await fixture.read<{ items: object[] }>(`/api/v1/users/${user}/data-sources`);
    expect(items).toMatchObject([{ source: shown }]);
  });
});

describe('the history of a run', () => {
  const history = (runKey: string) => fixture.read<SyncHistory>(`/api/v1/sync/history/${runKey}`);

  it('of a push has the scope live and no data type rows', async () => {
    const user = await fixture.createUser();
    const { run_id: runKey } = await fixture.pushed(user, payload('apple', { records: [step({})] }));
    expect(await history(runKey)).toMatchObject({
      run_key: runKey,
      user_id: user,
      provider: 'apple',
      source: 'sdk',
      scope: 'live',
      status: 'success',
      ended_at: expect.any(String),
      data_types: [],
    });
  });

  it('has a row per data type of a backfill', async () => {
    const user = await fixture.createUser();
    const { run_id: runId } = await fixture.pushed(user, payload('apple', { records: [step({})] }));
    const report = { status: 'success', inserted: 2, updated: 1, deleted: 0, windows: 1, received: 3, rejected: 0 };
    const failed = { ...report, status: 'failed', inserted: 0, updated: 0, error: 'unavailable 503' };
    await fixture.pool.query(
      `update sync_run set source = 'backfill', status = 'partial', metadata = $2 where run_id = $1`,
      [runId, { is_historical: true, data_types: { steps: report, sleep: failed } }],
    );
    const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
    expect(run.source).toBe('backfill');
    expect(await history(runId)).toMatchObject({
      source: 'backfill',
      scope: 'historical',
      status: 'partial',
      data_types: [
        { data_type: 'sleep', status: 'failed', items_processed: 0, error: 'unavailable 503' },
        { data_type: 'steps', status: 'success', items_processed: 3, error: null },
      ],
    });
  });

  it('has a row per data type that a vendor exports', async () => {
    const user = await fixture.createUser();
    const { run_id: runId } = await fixture.pushed(user, payload('apple', { records: [step({})] }));
    const exports = {
      sleeps: { status: 'success', state: 'done', items: 31 },
      dailies: { status: 'failed', state: 'failed', items: 0, error: 'scope_missing 403' },
    };
    await fixture.pool.query(`update sync_run set source = 'backfill', metadata = $2 where run_id = $1`, [
      runId,
      { connection_id: 'x', exports, outstanding: [] },
    ]);
    expect((await history(runId)).data_types).toEqual([
      { data_type: 'sleeps', status: 'success', items_processed: 31, error: null },
      { data_type: 'dailies', status: 'failed', items_processed: 0, error: 'scope_missing 403' },
    ]);
  });

  it.each(['pull_0000000000000000', 'no-run', '%00', '..%2F..', 'x'.repeat(200)])(
    'responds 404 or 422 to an invalid run key: %s',
    async (key) => {
      const { status } = await fetch(`${fixture.url}/api/v1/sync/history/${key}`);
      expect([404, 422]).toContain(status);
    },
  );
});

it.each([
  ['compat', [4, null, null]],
  ['standard', [4, 4, 4]],
] as const)('reports total counts of three pages in error format %s: %j', async (errorFormat, counts) => {
  const service = await startTestService({ errorFormat });
  try {
    const { id } = await recordedUser(service, ...samplesEvery('steps', '2026-11-01T00:00:00Z', 60, [1, 2, 3, 4]));
    const list = `/api/v1/users/${id}/timeseries?types=steps&start_time=2026-11-01&end_time=2026-11-02&limit=2`;
    const first = (await service.call('GET', list)).body;
    const second = (await service.call('GET', `${list}&cursor=${first.pagination.next_cursor}`)).body;
    const long = list.replace('limit=2', 'limit=10000');
    const streamed = (await service.call('GET', `${long}&cursor=${first.pagination.next_cursor}`)).body;
    expect([first, second, streamed].map(({ pagination }) => pagination.total_count)).toEqual(counts);
  } finally {
    await service.stop();
  }
});
