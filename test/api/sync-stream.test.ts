import { SyncStreams } from '@healthd/daemon/runs';
import type { SyncStatusEvent } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './import-fixture.js';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { heartRates, payload } from './push-payloads.js';

const soon = (check: () => void | Promise<void>) => eventually(check, 30);

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture({ heartbeatMs: 150 });
});
afterAll(() => fixture.close());

/** Opens a stream and waits for its connected event. Returns it with its received frames. */
async function open(user: string, { lastId, ...wanted }: { replay?: number; lastId?: number; filter?: string } = {}) {
  const abort = new AbortController();
  const { replay = 20, filter = '' } = wanted;
  const query = `?replay=${replay}${filter}`;
  const response = await fetch(`${fixture.url}/api/v1/users/${user}/sync/stream${query}`, {
    headers: lastId === undefined ? {} : { 'Last-Event-ID': String(lastId) },
    signal: abort.signal,
  });
  const stream = { response, text: '', ended: false, leave: () => abort.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      stream.text += decoder.decode(chunk, { stream: true });
    }
  };
  void read()
    .catch(() => undefined)
    .then(() => {
      stream.ended = true;
    });
  if (response.ok) await soon(() => expect(stream.text).toMatch(/^: connected\n\n/));
  return stream;
}

function eventsIn(text: string): { id: number; event: SyncStatusEvent }[] {
  return [...text.matchAll(/^id: (\d+)\nevent: sync\.status\ndata: (.*)\n\n/gm)].map((match) => ({
    id: Number(match[1]),
    event: JSON.parse(String(match[2])) as SyncStatusEvent,
  }));
}

const batch = payload('apple', { records: heartRates(1) });
const stages = (text: string) => eventsIn(text).map(({ event }) => event.stage);

describe('the stream of sync events', () => {
  it('continues live after a replay of the last events', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, batch);
    const stream = await open(user);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    await soon(() => expect(stages(stream.text)).toEqual(['queued', 'started', 'completed']));
    expect(stream.text.startsWith(': connected\n\n')).toBe(true);
    await fixture.pushed(user, batch);
    await soon(() =>
      expect(stages(stream.text)).toEqual(['queued', 'started', 'completed', 'queued', 'started', 'completed']),
    );
    stream.leave();
  });

  it('sends only heartbeats with replay=0', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, batch);
    const stream = await open(user, { replay: 0 });
    await soon(() => expect(stream.text.match(/: heartbeat\n\n/g)?.length).toBeGreaterThan(2));
    expect(eventsIn(stream.text)).toEqual([]);
    stream.leave();
  });

  it('resumes after Last-Event-ID without a gap', async () => {
    const user = await fixture.createUser();
    for (let n = 0; n < 5; n++) await fixture.pushed(user, batch);
    const whole = await open(user, { replay: 200 });
    await soon(() => expect(eventsIn(whole.text)).toHaveLength(15));
    const all = eventsIn(whole.text);
    for (const cut of [0, 4, 13]) {
      const resumed = await open(user, { lastId: all[cut]?.id ?? 0 });
      await soon(() => expect(eventsIn(resumed.text)).toEqual(all.slice(cut + 1)));
      resumed.leave();
    }
    const current = await open(user, { lastId: all.at(-1)?.id ?? 0 });
    const unknown = await open(user, { lastId: 999_999_999 });
    await fixture.pushed(user, batch);
    await soon(() => expect(stages(current.text)).toEqual(['queued', 'started', 'completed']));
    await soon(() => expect(stages(unknown.text)).toEqual(['queued', 'started', 'completed']));
    for (const stream of [whole, current, unknown]) stream.leave();
  });

  it('rejects a replay above 200 and an unknown user', async () => {
    const user = await fixture.createUser();
    expect((await open(user, { replay: 201 })).response.status).toBe(422);
    expect((await open('00000000-0000-4000-8000-000000000000')).response.status).toBe(404);
  });

  it('filters by provider, type and status, like the list', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, batch);
    const recent = (query: string) => fixture.read<SyncStatusEvent[]>(`/api/v1/users/${user}/sync/recent${query}`);
    expect((await recent('?status=in_progress&limit=1')).map(({ stage }) => stage)).toEqual(['started']);
    expect((await recent('?provider=apple&source=sdk')).map(({ stage }) => stage)).toHaveLength(3);
    expect(await recent('?provider=garmin')).toEqual([]);
    expect(await recent('?source=pull')).toEqual([]);
    const ended = await open(user, { filter: '&status=success&provider=apple&source=sdk' });
    const garmin = await open(user, { filter: '&provider=garmin' });
    const runningSteps = await open(user, { replay: 1, filter: '&status=in_progress' });
    await soon(() => expect([stages(ended.text), stages(runningSteps.text)]).toEqual([['completed'], ['started']]));
    await fixture.pushed(user, batch);
    await soon(() => {
      expect(stages(ended.text)).toEqual(['completed', 'completed']);
      expect(stages(runningSteps.text)).toEqual(['started', 'queued', 'started']);
    });
    expect(stages(garmin.text)).toEqual([]);
    const resumed = await open(user, { lastId: eventsIn(ended.text)[0]?.id ?? 0, filter: '&status=success' });
    await soon(() => expect(stages(resumed.text)).toEqual(['completed']));
    for (const stream of [ended, garmin, runningSteps, resumed]) stream.leave();
  });

  it('sends heartbeats while its filter drops all steps', async () => {
    const user = await fixture.createUser();
    const stream = await open(user, { filter: '&provider=garmin' });
    await soon(async () => {
      await fixture.push(user, batch);
      expect(stream.text.match(/: heartbeat\n\n/g)?.length).toBeGreaterThan(2);
    });
    expect(eventsIn(stream.text)).toEqual([]);
    stream.leave();
  });

  it('loses no event when its shared database connection breaks', async () => {
    const users = await Promise.all(Array.from({ length: 40 }, () => fixture.createUser()));
    const streams = await Promise.all(users.map((user) => open(user)));
    await soon(() => expect(fixture.streams.open).toBeGreaterThanOrEqual(40));
    const listening = () =>
      fixture.rows<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and application_name = 'healthd channels'",
      );
    const [before] = await listening();
    expect(await listening()).toHaveLength(1);
    await fixture.pool.query('select pg_terminate_backend($1)', [before?.pid]);
    const pushed = await Promise.all(users.map((user) => fixture.push(user, batch)));
    await soon(() => {
      for (const stream of streams) expect(stages(stream.text)).toEqual(['queued', 'started', 'completed']);
    });
    expect(streams.map(({ text }) => eventsIn(text)[0]?.event.run_id)).toEqual(pushed);
    expect((await listening()).map(({ pid }) => pid)).not.toEqual([before?.pid]);
    for (const stream of streams) stream.leave();
    await soon(() => expect(fixture.streams.open).toBe(0));
  });

  it('loses no event while events arrive at full speed', async () => {
    const user = await fixture.createUser();
    const stream = await open(user);
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await fixture.push(user, batch));
    await soon(() => expect(stages(stream.text).filter((stage) => stage === 'completed')).toHaveLength(40));
    const seen = eventsIn(stream.text);
    expect(seen.map(({ id }) => id)).toEqual([...seen].map(({ id }) => id).sort((a, b) => a - b));
    for (const id of ids) {
      const own = seen.filter(({ event }) => event.run_id === id).map(({ event }) => event.stage);
      expect(own).toEqual(['queued', 'started', 'completed']);
    }
    expect(seen).toHaveLength(120);
    stream.leave();
  });

  it('ends when the service stops', async () => {
    const streams = new SyncStreams({
      pool: fixture.pool,
      channels: fixture.database.channels,
      onError: () => undefined,
    });
    const { signal } = new AbortController();
    const frames = streams.stream({ userKey: 1, replay: 0, signal });
    expect((await frames.next()).value).toBe(': connected\n\n');
    const next = frames.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    streams.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
