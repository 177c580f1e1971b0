import { createRunProgress, deleteOldSyncStatus, newRunId, SYNC_CHANNEL } from '@healthd/daemon/runs';
import type { Problem, SyncRun, SyncRunSummary, SyncStatusEvent } from '@healthd/schemas';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, type ImportFixture, openImportFixture } from './import-fixture.js';

let fixture: ImportFixture;
let user: string;
let userKey: number;
beforeAll(async () => {
  fixture = await openImportFixture({ role: 'api' });
});
beforeEach(async () => {
  user = await fixture.createUser();
  const { rows } = await fixture.pool.query('select user_key from health_user where id = $1', [user]);
  userKey = rows[0].user_key;
});
afterAll(() => fixture.close());

async function queued(provider: 'apple' | 'garmin' | 'polar' = 'apple', source: 'xml_import' | 'pull' = 'xml_import') {
  const runId = newRunId('run');
  const client = await fixture.pool.connect();
  await fixture.runs.queue(client, { runId, userKey, provider, source });
  client.release();
  return runId;
}

const ids = (runs: SyncRunSummary[]) => runs.map(({ run_id: id }) => id);

describe('a run', () => {
  it('ignores steps after its end', async () => {
    const runId = await queued();
    expect(await fixture.runs.move(runId, 'processing')).toBe('refused');
    expect(await fixture.runs.move(runId, 'started')).toBe('recorded');
    const failed = {
      stage: 'failed',
      status: 'failed',
      error: 'The archive is damaged and cannot be unpacked.',
    } as const;
    expect(await fixture.runs.finish(runId, failed)).toBe('recorded');
    expect(await fixture.runs.finish(runId, { stage: 'completed', status: 'success' })).toBe('refused');
    expect(await fixture.runs.move(runId, 'started')).toBe('refused');
    const run = await fixture.read<SyncRun>(`/api/v1/sync/runs/${runId}`);
    expect(run).toMatchObject({ stage: 'failed', status: 'failed', error: failed.error, progress: null });
    const events = await fixture.read<SyncStatusEvent[]>(`/api/v1/users/${user}/sync/recent`);
    expect(events.map(({ stage }) => stage)).toEqual(['failed', 'started', 'queued']);
  });

  it('is deleted with its user', async () => {
    const runId = await queued();
    await fixture.pool.query('delete from health_user where id = $1', [user]);
    expect(await fixture.runs.move(runId, 'started')).toBe('gone');
  });

  it('reports its progress at most twice a second', async () => {
    const runId = await queued();
    await fixture.runs.move(runId, 'started');
    let clock = 0;
    const progress = createRunProgress(fixture.runs, runId, () => clock);
    for (; clock <= 1000; clock += 50) await progress.report('processing', () => ({ progress: clock / 2000 }));
    const events = await fixture.read<SyncStatusEvent[]>(`/api/v1/users/${user}/sync/recent`);
    expect(events.filter(({ stage }) => stage === 'processing').map((event) => event.progress)).toEqual([0.5, 0.25, 0]);
  });

  it('wakes listeners once for simultaneous steps', async () => {
    const listener = new pg.Client({ connectionString: fixture.database.url });
    await listener.connect();
    await listener.query(`listen ${SYNC_CHANNEL}`);
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    for (let n = 0; n < 5; n++) fixture.runs.announce(userKey);
    // The marker arrives last. Its arrival shows that all notifications above have arrived.
    const marker = 'end';
    setTimeout(() => void fixture.pool.query('select pg_notify($1, $2)', [SYNC_CHANNEL, marker]), 200);
    await eventually(() => expect(heard).toContain(marker)).finally(() => listener.end());
    expect(heard.filter((payload) => payload === String(userKey))).toHaveLength(1);
  });
});

describe('lists of runs', () => {
  it('contain the newest runs up to the limit', async () => {
    const made = [await queued(), await queued(), await queued()].reverse();
    expect(ids(await fixture.read(`/api/v1/users/${user}/sync/runs`))).toEqual(made);
    expect(ids(await fixture.read(`/api/v1/users/${user}/sync/runs?limit=2`))).toEqual(made.slice(0, 2));
    expect(await fixture.read(`/api/v1/users/${user}/sync/recent?limit=1`)).toHaveLength(1);
  });

  it('filter by user, provider, source and status', async () => {
    const apple = await queued();
    const garmin = await queued('garmin', 'pull');
    await fixture.runs.finish(garmin, { stage: 'cancelled', status: 'cancelled' });
    const list = async (query: string) => ids(await fixture.read(`/api/v1/sync/runs?user_id=${user}${query}`));
    expect(await list('')).toEqual([garmin, apple]);
    expect(await list('&provider=garmin')).toEqual([garmin]);
    expect(await list('&source=xml_import')).toEqual([apple]);
    expect(await list('&status=cancelled')).toEqual([garmin]);
    expect(await list('&status=cancelled&provider=apple')).toEqual([]);
    expect(await fixture.read(`/api/v1/sync/runs?user_id=${crypto.randomUUID()}`)).toEqual([]);
  });

  it('show a failure until a retry or a later successful run', async () => {
    const fail = async (runId: string) => {
      await fixture.runs.finish(runId, { stage: 'failed', status: 'failed', error: 'No luck.' });
      return runId;
    };
    const done = { stage: 'completed', status: 'success' } as const;
    const list = async () => ids(await fixture.read(`/api/v1/sync/runs?user_id=${user}&unresolved=true`));
    await fixture.runs.finish(await queued('garmin', 'pull'), done);
    const garmin = await fail(await queued('garmin', 'pull'));
    const apple = await fail(await queued());
    const old = await fail(await queued('polar', 'pull'));
    await fixture.pool.query("update sync_run set ended_at = now() - interval '25 hours' where run_id = $1", [old]);
    expect(await list()).toEqual([apple, garmin]);
    await fixture.runs.finish(await queued(), done);
    expect(await list()).toEqual([garmin]);
    await fixture.pool.query('update sync_run set metadata = $2 where run_id = $1', [
      await queued('garmin', 'pull'),
      { retry_of: garmin },
    ]);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['/api/v1/sync/runs?limit=0', 'limit', 'greater_than_equal'],
    ['/api/v1/sync/runs?limit=10001', 'limit', 'less_than_equal'],
    ['/api/v1/sync/runs?status=done', 'status', 'enum'],
    ['/api/v1/sync/runs?source=file', 'source', 'enum'],
    ['/api/v1/sync/runs?provider=Apple', 'provider', 'enum'],
    ['/api/v1/sync/runs?user_id=7', 'user_id', 'uuid_parsing'],
    ['/api/v1/users/{user}/sync/runs?limit=201', 'limit', 'less_than_equal'],
    ['/api/v1/users/{user}/sync/recent?limit=x', 'limit', 'int_parsing'],
  ])('reject %s', async (path, name, type) => {
    const response = await fetch(fixture.url + path.replace('{user}', user));
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: Problem[] };
    expect(detail).toMatchObject([{ loc: ['query', name], type }]);
  });

  it('respond 404 for an unknown user or run', async () => {
    const id = crypto.randomUUID();
    for (const path of [
      `/api/v1/users/${id}/sync/runs`,
      `/api/v1/users/${id}/sync/recent`,
      '/api/v1/sync/runs/run_0',
    ]) {
      expect((await fetch(fixture.url + path)).status, path).toBe(404);
    }
  });
});

describe('cleanup of old runs', () => {
  it('deletes steps after days, ended runs after months, open runs never', async () => {
    const [ended, open, young] = [await queued(), await queued(), await queued()];
    for (const runId of [ended, young]) {
      await fixture.runs.finish(runId, { stage: 'completed', status: 'skipped' });
    }
    await fixture.pool.query(
      "update sync_run set created_at = now() - interval '100 days', ended_at = ended_at - interval '100 days' where run_id = any($1)",
      [[ended, open]],
    );
    await fixture.pool.query("update sync_event set created_at = now() - interval '10 days' where run_id = any($1)", [
      [ended, open],
    ]);
    const deleted = await deleteOldSyncStatus(fixture.pool, { eventDays: 7, runDays: 90 });
    expect(deleted).toEqual({ events: 3, runs: 1 });
    expect(new Set(ids(await fixture.read(`/api/v1/users/${user}/sync/runs`)))).toEqual(new Set([open, young]));
  });
});
