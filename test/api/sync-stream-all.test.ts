import { randomUUID } from 'node:crypto';
import { createPool } from '@healthd/daemon/platform/database';
import { SyncStreams } from '@healthd/daemon/runs';
import type { SyncStatusEvent } from '@healthd/schemas';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatabasePath } from '../support/database-path.js';
import { eventually } from './import-fixture.js';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { heartRates, payload } from './push-payloads.js';

const soon = (check: () => void | Promise<void>) => eventually(check, 30);
const batch = payload('apple', { records: heartRates(1) });

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture({ heartbeatMs: 150 });
});
afterAll(() => fixture.close());
beforeEach(() => fixture.pool.query('delete from sync_event'));

interface Opened {
  status: number;
  text: string;
  leave(): void;
}

/** Opens a stream, of all users by default. Returns it with its received frames. */
async function open(query = '', lastId?: number, path = '/api/v1/sync/stream'): Promise<Opened> {
  const abort = new AbortController();
  const response = await fetch(`${fixture.url}${path}${query}`, {
    headers: lastId === undefined ? {} : { 'Last-Event-ID': String(lastId) },
    signal: abort.signal,
  });
  const stream = { status: response.status, text: '', leave: () => abort.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      stream.text += decoder.decode(chunk, { stream: true });
    }
  };
  void read().catch(() => undefined);
  if (response.ok) await soon(() => expect(stream.text).toMatch(/^: connected\n\n/));
  return stream;
}

function eventsIn({ text }: Opened): SyncStatusEvent[] {
  return [...text.matchAll(/^event: sync\.status\ndata: (.*)\n\n/gm)].map((match) => JSON.parse(String(match[1])));
}

const lastIdIn = ({ text }: Opened) => Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]);
const runsIn = (stream: Opened) => eventsIn(stream).map(({ run_id }) => run_id);

/** Stores a step of the user's run. The step becomes visible when the client's transaction commits. */
async function store(client: Pick<pg.ClientBase, 'query'>, user: string, run_id: string, change: object = {}) {
  const event_id = randomUUID();
  const event = { event_id, run_id, user_id: user, provider: 'apple', source: 'sdk', stage: 'queued', ...change };
  await client.query(
    `insert into sync_event (event_id, user_key, run_id, event)
     select $1, user_key, $2, $3 from health_user where id = $4`,
    [event_id, run_id, JSON.stringify(event), user],
  );
}

/** Sends the notification that the service sends after it has stored a step. */
async function notify(user: string): Promise<void> {
  await fixture.pool.query("select pg_notify('healthd_sync', user_key::text) from health_user where id = $1", [user]);
}

test('continues live after a replay of all users', async () => {
  const [anna, ben] = [await fixture.createUser(), await fixture.createUser()];
  for (const user of [anna, ben]) await fixture.pushed(user, batch);
  const stream = await open('?replay=4');
  await soon(() => expect(stream.text).toMatch(/\n\nid: \d+\n\n/));
  expect(eventsIn(stream).map(({ user_id, stage }) => [user_id, stage])).toEqual([
    [anna, 'completed'],
    [ben, 'queued'],
    [ben, 'started'],
    [ben, 'completed'],
  ]);
  await fixture.pushed(anna, batch);
  await soon(() => expect(eventsIn(stream)).toHaveLength(7));
  expect(eventsIn(stream).at(-1)).toMatchObject({ user_id: anna, stage: 'completed' });
  stream.leave();
});

test('filters by provider and type', async () => {
  const user = await fixture.createUser();
  await store(fixture.pool, user, 'r1');
  await store(fixture.pool, user, 'r2', { provider: 'garmin', source: 'webhook' });
  await store(fixture.pool, user, 'r3', { provider: 'garmin', source: 'backfill' });
  const garmin = await open('?provider=garmin');
  const webhook = await open('?provider=garmin&source=webhook');
  await soon(() => expect([runsIn(garmin), runsIn(webhook)]).toEqual([['r2', 'r3'], ['r2']]));
  await store(fixture.pool, user, 'r4');
  await store(fixture.pool, user, 'r5', { provider: 'garmin', source: 'webhook' });
  await notify(user);
  await soon(() =>
    expect([runsIn(garmin), runsIn(webhook)]).toEqual([
      ['r2', 'r3', 'r5'],
      ['r2', 'r5'],
    ]),
  );
  for (const stream of [garmin, webhook]) stream.leave();
});

test('rejects unknown filter values', async () => {
  for (const query of ['?provider=acme', '?source=carrier_pigeon', '?status=lost', '?replay=201']) {
    expect((await open(query)).status).toBe(422);
  }
});

test('continues live with a filter that rarely matches', async () => {
  const user = await fixture.createUser();
  await store(fixture.pool, user, 'r1', { status: 'failed' });
  for (const run of ['r2', 'r3', 'r4']) await store(fixture.pool, user, run, { status: 'success' });
  const failed = await open('?status=failed&replay=1');
  await soon(() => expect(runsIn(failed)).toEqual(['r1']));
  await store(fixture.pool, user, 'r5', { status: 'success' });
  await store(fixture.pool, user, 'r6', { status: 'failed' });
  await notify(user);
  await soon(() => expect(runsIn(failed)).toEqual(['r1', 'r6']));
  failed.leave();
});

test('delivers late-committed events with lower numbers to open and resumed streams', async () => {
  const [anna, ben] = [await fixture.createUser(), await fixture.createUser()];
  const stream = await open();
  const slow = await fixture.pool.connect();
  try {
    await slow.query('begin');
    await store(slow, anna, 'slow');
    await store(fixture.pool, ben, 'fast');
    await notify(ben);
    await soon(() => expect(runsIn(stream)).toEqual(['fast']));
    // Waits until the service has observed the gap in the numbers for the required time. The number must still count
    // as missing.
    const heartbeats = stream.text.match(/: heartbeat/g)?.length ?? 0;
    await soon(() => expect(stream.text.match(/: heartbeat/g)?.length).toBeGreaterThan(heartbeats + 10));
    const lastId = lastIdIn(stream);
    await slow.query('commit');
    await notify(anna);
    await soon(() => expect(runsIn(stream)).toEqual(['fast', 'slow']));
    const resumed = await open('', lastId);
    await soon(() => expect(runsIn(resumed)).toContain('slow'));
    resumed.leave();
  } finally {
    slow.release();
  }
  stream.leave();
});

test('sends a reconnecting client only the missed events', async () => {
  const user = await fixture.createUser();
  const stream = await open();
  await store(fixture.pool, user, 'before');
  await notify(user);
  const { rows } = await fixture.pool.query('select max(seq) as seq from sync_event');
  await soon(() => expect(lastIdIn(stream)).toBe(rows[0].seq));
  stream.leave();
  await store(fixture.pool, user, 'meanwhile');
  const resumed = await open('', lastIdIn(stream));
  await soon(() => expect(runsIn(resumed)).toEqual(['meanwhile']));
  resumed.leave();
});

test('sends heartbeats on a fully filtered stream until its client disconnects', async () => {
  const user = await fixture.createUser();
  const stream = await open('?provider=garmin');
  await soon(async () => {
    await store(fixture.pool, user, 'other');
    await notify(user);
    expect(stream.text.match(/: heartbeat\n\n/g)?.length).toBeGreaterThan(2);
  });
  expect(eventsIn(stream)).toEqual([]);
  expect(fixture.streams.open).toBe(1);
  stream.leave();
  await soon(() => expect(fixture.streams.open).toBe(0));
});

test('sends each event once while many users push', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => fixture.createUser()));
  const stream = await open();
  const pushed = await Promise.all(users.flatMap((user) => [fixture.push(user, batch), fixture.push(user, batch)]));
  await soon(() => expect(eventsIn(stream).filter(({ stage }) => stage === 'completed')).toHaveLength(24));
  for (const id of pushed) {
    const own = eventsIn(stream).filter(({ run_id }) => run_id === id);
    expect(own.map(({ stage }) => stage)).toEqual(['queued', 'started', 'completed']);
  }
  expect(new Set(eventsIn(stream).map(({ event_id }) => event_id)).size).toBe(72);
  stream.leave();
});

test('ends the stream when the service stops', async () => {
  const streams = new SyncStreams({
    pool: fixture.pool,
    channels: fixture.database.channels,
    onError: () => undefined,
  });
  const frames = await streams.streamAll({ replay: 0, signal: new AbortController().signal });
  expect((await frames.next()).value).toBe(': connected\n\n');
  expect((await frames.next()).value).toMatch(/^id: \d+\n\n$/);
  const next = frames.next();
  streams.close();
  expect(await next).toEqual({ done: true, value: undefined });
});

test('keeps a stream open when opening another stream fails', async () => {
  const user = await fixture.createUser();
  const path = await openDatabasePath(fixture.database.url);
  const pool = createPool({ url: path.url });
  const streams = new SyncStreams({ pool, ...quiet() });
  const start = { replay: 0, signal: new AbortController().signal };
  try {
    const frames = await streams.streamAll(start);
    for (let n = 0; n < 2; n++) await frames.next();
    const next = frames.next();
    await path.cut();
    await expect(streams.streamAll(start)).rejects.toThrow();
    expect(streams.open).toBe(1);
    await path.mend();
    await store(fixture.pool, user, 'after');
    await notify(user);
    expect((await next).value).toContain('"run_id":"after"');
  } finally {
    streams.close();
    await path.cut();
    await pool.end();
  }
});

test('stops reading events after a HEAD request has ended', async () => {
  const user = await fixture.createUser();
  const head = await fetch(`${fixture.url}/api/v1/sync/stream`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  await soon(() => expect(fixture.streams.open).toBe(0));
  const own = await open('?replay=0', undefined, `/api/v1/users/${user}/sync/stream`);
  const queries = vi.spyOn(fixture.pool, 'query');
  try {
    await store(fixture.pool, user, 'noticed');
    await notify(user);
    await soon(() => expect(runsIn(own)).toEqual(['noticed']));
    const names = queries.mock.calls.map(([query]) => (query as { name?: string } | undefined)?.name);
    expect(names).toContain('sync_events_after');
    expect(names).not.toContain('all_sync_events_behind');
  } finally {
    queries.mockRestore();
    own.leave();
  }
});

test('delivers each event once with few reads while a transaction remains open', async () => {
  const [anna, ben] = [await fixture.createUser(), await fixture.createUser()];
  const pool = createPool({ url: fixture.database.url, max: 1 });
  const streams = new SyncStreams({ pool, ...quiet() });
  const frames = await streams.streamAll({ replay: 0, signal: new AbortController().signal });
  for (let n = 0; n < 2; n++) await frames.next();
  const slow = await fixture.pool.connect();
  const readRows = async () => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ read: number }>(
      `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
         from pg_stat_user_tables where relname = 'sync_event'`,
    );
    return rows[0]?.read ?? 0;
  };
  let text = '';
  const until = async (run: string) => {
    while (!text.includes(`"run_id":"${run}"`)) text += (await frames.next()).value ?? '';
  };
  try {
    await slow.query('begin');
    await store(slow, anna, 'slow');
    const before = await readRows();
    for (let round = 0; round < 40; round++) {
      for (let n = 0; n < 10; n++) await store(fixture.pool, ben, `round_${round}_${n}`);
      await notify(ben);
      await until(`round_${round}_9`);
    }
    // Connections report their reads to the statistics late, so reads from before the test may count. Hence the margin.
    expect((await readRows()) - before).toBeLessThan(5 * 400);
    await slow.query('commit');
    await notify(anna);
    await until('slow');
    expect(text.match(/"run_id":"round_/g)).toHaveLength(400);
  } finally {
    slow.release();
    streams.close();
    await pool.end();
  }
});

/** Creates streams that read only when they are notified. */
function quiet() {
  return {
    channels: fixture.database.channels,
    heartbeatMs: 600_000,
    lookMs: 600_000,
    onError: () => undefined,
  };
}
