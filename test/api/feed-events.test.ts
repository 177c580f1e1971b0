import { setSelectionSettings } from '@healthd/daemon/feed';
import { inTransaction } from '@healthd/daemon/platform/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.js';

type Service = Awaited<ReturnType<typeof startTestService>>;

let service: Service;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

async function newUser(): Promise<{ id: string; userKey: number }> {
  const { body } = await service.call('POST', '/api/v1/users', {});
  return (await service.users.find(body.id)) as { id: string; userKey: number };
}

/** Runs an action, waits until the feed has `count` entries of these kinds, and returns the entries. */
async function entriesOf(kinds: string, count: number, action: () => Promise<unknown>) {
  let { cursor } = (await service.call('GET', '/api/v1/changes?limit=1000')).body;
  await action();
  const found: Record<string, unknown>[] = [];
  for (const until = Date.now() + 60_000; found.length < count && Date.now() < until; ) {
    const { body } = await service.call('GET', `/api/v1/changes?kinds=${kinds}&wait=20&cursor=${cursor}`);
    found.push(...body.items);
    cursor = body.cursor;
  }
  return found;
}

describe('the feed', () => {
  it('reports a created user', async () => {
    let id: string | undefined;
    const entries = await entriesOf('user', 1, async () => {
      id = (await newUser()).id;
    });
    expect(entries).toMatchObject([{ position: null, user_id: id, kind: 'user', action: 'created' }]);
  });

  it('reports connections that start, need attention and end', async () => {
    const { id, userKey } = await newUser();
    const { pool } = service;
    const entries = await entriesOf('connection', 3, async () => {
      await pool.query(`insert into connection (user_key, provider) values ($1, 'oura')`, [userKey]);
      await pool.query(
        `update connection set status = 'expired', status_reason = 'token_expired' where user_key = $1`,
        [userKey],
      );
      // An update that keeps the status is not an event.
      await pool.query('update connection set last_synced_at = now() where user_key = $1', [userKey]);
      await pool.query(
        `update connection set status = 'revoked', status_reason = 'user_disconnected' where user_key = $1`,
        [userKey],
      );
    });
    const { rows } = await pool.query<{ id: string }>('select id from connection where user_key = $1', [userKey]);
    const common = { position: null, user_id: id, kind: 'connection', provider: 'oura', connection_id: rows[0]?.id };
    expect(entries).toMatchObject([
      { ...common, action: 'created' },
      { ...common, action: 'needs_attention', reason: 'token_expired' },
      { ...common, action: 'revoked', reason: 'user_disconnected' },
    ]);
  });

  it('reports the start and the end of a run', async () => {
    const { id, userKey } = await newUser();
    const { runs } = service.parts;
    const runId = 'pull_0123456789abcdef';
    const entries = await entriesOf('run', 2, async () => {
      await inTransaction(service.pool, (client) =>
        runs.queue(client, { runId, userKey, provider: 'oura', source: 'pull' }),
      );
      await runs.move(runId, 'started');
      await runs.move(runId, 'fetching');
      await runs.finish(runId, { stage: 'completed', status: 'success' });
    });
    const common = { position: null, user_id: id, kind: 'run', run_id: runId, provider: 'oura', source: 'pull' };
    expect(entries).toMatchObject([
      { ...common, action: 'started', status: 'in_progress' },
      { ...common, action: 'completed', status: 'success' },
    ]);
  });

  it('reports changed terms without a user', async () => {
    const entries = await entriesOf('selection', 1, () =>
      service.parts.connections.terms.change(
        'oura',
        { cacheDays: { value: 3, reason: 'Contract' } },
        'ada@clinic.example',
      ),
    );
    expect(entries).toMatchObject([{ user_id: null, kind: 'selection', action: 'changed', cause: 'terms' }]);
  });

  it('reports settings that differ from the last start', async () => {
    const entries = await entriesOf('selection', 2, async () => {
      await setSelectionSettings(service.pool, { activityMerge: 'interval' });
      // Unchanged settings create no event.
      await setSelectionSettings(service.pool, { activityMerge: 'interval' });
      await service.parts.priorities.providers.set([{ name: 'oura', priority: 4 }]);
    });
    expect(entries.map(({ cause }) => cause)).toEqual(['settings', 'priorities']);
  });
});

describe('a feed that is off', () => {
  it('records no events', async () => {
    const off = await startTestService({ settings: { feed: 'off' } });
    await off.call('POST', '/api/v1/users', {});
    const { rows } = await off.pool.query('select from change union all select from user_events');
    expect(rows).toHaveLength(0);
    await off.stop();
  });
});
