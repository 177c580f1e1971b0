import { listAllConnections } from '@healthd/daemon/connections';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

let fixture: ConnectionFixture;
/** Users by the state of their connection. */
const users: Record<'active' | 'failing' | 'ended' | 'phone' | 'none', string> = {
  active: '',
  failing: '',
  ended: '',
  phone: '',
  none: '',
};

beforeAll(async () => {
  fixture = await openConnectionFixture({ role: 'api', env: { HISTORICAL_SYNC_ON_CONNECT: 'false' } });
  for (const name of Object.keys(users) as (keyof typeof users)[]) users[name] = await fixture.createUser();
  await insert(users.active, 'google', {});
  await insert(users.failing, 'google', { failing_since: '2026-11-01T08:00:00Z', last_error: 'The vendor was away.' });
  await insert(users.ended, 'google', { status: 'revoked', status_reason: 'user_disconnected' });
  await insert(users.phone, 'apple', {});
});
afterAll(() => fixture.close());

/**
 * Stores a connection. All connections have the same creation time, so that page boundaries fall between equal values.
 */
async function insert(userId: string, provider: string, fields: Record<string, string>) {
  const row = { status: 'active', ...fields };
  const columns = Object.keys(row);
  await fixture.service.pool.query(
    `insert into connection (user_key, provider, created_at, ${columns.join(', ')})
     select user_key, $2, '2026-10-31T12:00:00.123456Z', ${columns.map((_, index) => `$${index + 3}`).join(', ')}
     from health_user where id = $1`,
    [userId, provider, ...Object.values(row)],
  );
}

async function listed(query: string): Promise<string[]> {
  const response = await fixture.call('GET', `/api/v1/connections?${query}`);
  expect(response.status).toBe(200);
  return response.body.data.map(({ user_id }: { user_id: string }) => user_id).sort();
}

async function found(query: string): Promise<string[]> {
  const response = await fixture.call('GET', `/api/v1/users?${query}`);
  expect(response.body.total).toBe(response.body.items.length);
  return response.body.items.map(({ id }: { id: string }) => id).sort();
}

const named = (...names: (keyof typeof users)[]) => names.map((name) => users[name]).sort();

test('filters the connections of all users by provider, status and user', async () => {
  expect(await listed('')).toEqual(named('active', 'failing', 'ended', 'phone'));
  expect(await listed('provider=google')).toEqual(named('active', 'failing', 'ended'));
  expect(await listed('state=active')).toEqual(named('active', 'failing', 'phone'));
  expect(await listed('state=failing')).toEqual(named('failing'));
  expect(await listed('state=ended&provider=google')).toEqual(named('ended'));
  expect(await listed(`user_id=${users.phone}`)).toEqual(named('phone'));
  expect(await listed(`user_id=${users.none}`)).toEqual([]);
});

test('shows the user and error of a connection but no token', async () => {
  const { body } = await fixture.call('GET', '/api/v1/connections?state=failing');
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      user_id: users.failing,
      first_name: null,
      last_name: null,
      email: null,
      provider: 'google',
      status: 'active',
      status_reason: null,
      account_state: 'linked',
      has_authorization: false,
      last_synced_at: null,
      last_error: 'The vendor was away.',
      last_error_at: null,
      failing_since: '2026-11-01T08:00:00.000Z',
      created_at: '2026-10-31T12:00:00.123Z',
    },
  ]);
});

test('lists each connection on exactly one page despite equal creation times', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: { data: { id: string }[]; pagination: { next_cursor: string | null } } } =
      await fixture.call('GET', `/api/v1/connections?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
    expect(body.data).toHaveLength(1);
    seen.push(...body.data.map(({ id }) => id));
    cursor = body.pagination.next_cursor;
  } while (cursor);
  expect(new Set(seen).size).toBe(4);
});

test.each([
  'nonsense',
  Buffer.from(`v1.1.${'-'.repeat(36)}`).toString('base64url'),
  Buffer.from(`v1.1.${'a'.repeat(36)}`).toString('base64url'),
  Buffer.from('v1.99999999999999999.00000000-0000-4000-8000-000000000000').toString('base64url'),
])('rejects an invalid cursor for the connections of all users: %s', async (cursor) => {
  const wrong = await fixture.call('GET', `/api/v1/connections?cursor=${cursor}`);
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['query', 'cursor']]);
});

test('reads pages of all connections from an index, without sorting', async () => {
  const { pool } = fixture.service;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`
      with made as (insert into health_user (id) select gen_random_uuid() from generate_series(1, 3000) returning user_key)
      insert into connection (user_key, provider, created_at)
      select user_key, 'google', timestamptz '2025-01-01' + user_key * interval '1 minute' from made`);
    await client.query('analyze connection, health_user');
    const texts: { text: string; values: unknown[] }[] = [];
    const recording = {
      query: (text: string, values: unknown[]) => {
        texts.push({ text, values });
        return client.query(text, values);
      },
    } as unknown as typeof pool;
    const first = await listAllConnections(recording, { limit: 20 });
    await listAllConnections(recording, { limit: 20, cursor: String(first.pagination.next_cursor) });
    for (const { text, values } of texts) {
      const { rows } = await client.query(`explain ${text}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('connection_order');
      expect(plan).not.toContain('Seq Scan');
      expect(plan).not.toContain('Sort');
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('names the user of filtered lists in the audit trail', async () => {
  for (const path of ['/api/v1/connections', '/api/v1/sync/runs', '/api/v1/data/volume']) {
    await fixture.call('GET', `${path}?user_id=${users.failing.toUpperCase()}`);
    await fixture.call('GET', path);
  }
  const recorded = async () => {
    const { rows } = await fixture.service.pool.query(
      `select route, count(*)::int as reads from audit_event where user_id = $1 and action = 'read'
        group by route order by route`,
      [users.failing],
    );
    return rows;
  };
  await expect.poll(recorded).toEqual([
    { route: 'getDataVolume', reads: 1 },
    { route: 'listAllConnections', reads: 1 },
    { route: 'listSyncRuns', reads: 1 },
  ]);
});

test('filters users by provider, connection status or lack of a connection', async () => {
  expect(await found('provider=google')).toEqual(named('active', 'failing', 'ended'));
  expect(await found('connection=active')).toEqual(named('active', 'failing', 'phone'));
  expect(await found('connection=failing&provider=apple')).toEqual([]);
  expect(await found('connection=ended&provider=google')).toEqual(named('ended'));
  expect(await found('connection=none')).toEqual(named('none'));
  expect(await found('connection=none&provider=google')).toEqual(named('none', 'phone'));
});

test('pages the runs of all users within a time range', async () => {
  const add = (runId: string, createdAt: string) =>
    fixture.service.pool.query(
      `insert into sync_run (run_id, user_key, provider, source, stage, status, created_at)
       select $2, user_key, 'google', 'pull', 'completed', 'success', $3 from health_user where id = $1`,
      [users.active, runId, createdAt],
    );
  await add('old', '2026-03-01T08:00:00Z');
  for (const runId of ['same_a', 'same_b', 'same_c']) await add(runId, '2026-03-02T08:00:00Z');
  const runs = async (query: string): Promise<string[]> => {
    const { body } = await fixture.call('GET', `/api/v1/sync/runs?${query}`);
    return body.map(({ run_id }: { run_id: string }) => run_id);
  };
  expect(await runs('from=2026-03-02T08:00:00Z&to=2026-03-02T08:00:01Z')).toEqual(['same_c', 'same_b', 'same_a']);
  expect(await runs('to=2026-03-02T08:00:00Z')).toEqual(['old']);
  const pages: string[] = [];
  for (let page = await runs('limit=1'); page.length > 0; page = await runs(`limit=1&before=${pages.at(-1)}`)) {
    pages.push(...page);
  }
  expect(pages).toEqual(['same_c', 'same_b', 'same_a', 'old']);
  const wrong = await fixture.call('GET', '/api/v1/sync/runs?before=no_such_run');
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['query', 'before']]);
});
