import { MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
let anna: Awaited<ReturnType<GoogleFixture['connect']>>;

beforeEach(async () => {
  fixture = await openGoogleFixture();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * MS_PER_HOUR).toISOString();
  await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
  const walks = [4, 24 * 2].map((hours) => ({
    dataType: 'steps',
    startTime: hoursAgo(hours),
    endTime: hoursAgo(hours - 0.1),
    value: 900,
  }));
  await fixture.control.addPoints('anna', walks, { notify: false });
  anna = await fixture.connect('anna');
  await fixture.call('POST', `/api/v1/providers/google/users/${anna.userId}/sync/historical?days=3`);
});
afterEach(() => fixture.close());

const retry = (runId: string) => fixture.call('POST', `/api/v1/sync/runs/${runId}/retry`);
const runs = () => fixture.reading.runsOf(anna.userKey);
const runOf = async (id: string) => (await runs()).find(({ run_id }) => run_id === id);
const stored = () => fixture.samples(anna.userKey, 'steps');

/** Makes the data type `steps` fail in both runs until no attempt is left. Returns the run IDs. */
async function failing(): Promise<Record<'pull' | 'backfill', string>> {
  await fixture.control.addFault({ kind: 'error', status: 503, match: { dataType: 'steps' }, times: null });
  await fixture.reading.settle();
  await fixture.pool.query('update pull_run set failures = 100');
  await fixture.wait(3_600);
  await fixture.reading.settle();
  await fixture.control.clearFaults();
  const ended = await runs();
  const idOf = (source: string) => ended.find((run) => run.source === source && run.status === 'partial')?.run_id ?? '';
  return { pull: idOf('pull'), backfill: idOf('backfill') };
}

describe('retrying a run that read from a vendor', () => {
  it('retries only failed data types of pulls and backfills, without duplicates', async () => {
    const failed = await failing();
    await fixture.control.clearRequests();
    const past = await retry(failed.backfill);
    expect(past).toMatchObject({ status: 202, body: { retry_of: failed.backfill, user_id: anna.userId } });
    await fixture.reading.settle();
    expect(await runOf(past.body.run_id)).toMatchObject({
      status: 'success',
      source: 'backfill',
      metadata: { retry_of: failed.backfill, data_types: { steps: { status: 'success' } } },
    });
    expect(await stored()).toHaveLength(2);
    const requests = await fixture.control.requests({ role: 'api' });
    expect(requests.length).toBeGreaterThan(0);
    expect(new Set(requests.map(({ dataType }) => dataType).filter(Boolean))).toEqual(new Set(['steps']));

    const again = await retry(failed.pull);
    expect(again.status).toBe(202);
    expect((await retry(failed.pull)).body.run_id).toBe(again.body.run_id);
    await fixture.reading.settle();
    expect(await runOf(again.body.run_id)).toMatchObject({ status: 'success', source: 'pull' });
    expect(await stored()).toHaveLength(2);
    expect((await retry(failed.pull)).status).toBe(409);
    expect((await retry(again.body.run_id)).body.detail).toMatch(/succeeded/);
  });

  it('responds 409 during another sync and after a disconnect', async () => {
    const failed = await failing();
    const other = await fixture.call('POST', `/api/v1/providers/google/users/${anna.userId}/sync?data_type=workouts`);
    expect(await retry(failed.pull)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(other.body.run_id) },
    });
    await fixture.reading.settle();
    expect((await fixture.call('DELETE', `/api/v1/users/${anna.userId}/connections/google`)).status).toBe(204);
    expect(await retry(failed.pull)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('not connected') },
    });
  });
});
