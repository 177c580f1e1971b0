import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { feedCleaning } from '../../daemon/src/feed/index.js';
import { startTestService } from '../support/service.js';

type Service = Awaited<ReturnType<typeof startTestService>>;

interface Page {
  items: {
    position: number | null;
    user_id: string | null;
    kind: string;
    action: string;
    type?: string;
    origin?: string;
  }[];
  cursor: string;
  has_more: boolean;
}

let service: Service;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

async function createUser(from: Service): Promise<string> {
  const { body } = await from.call('POST', '/api/v1/users', {});
  return (body as { id: string }).id;
}

async function read(path: string): Promise<Page> {
  const { status, body } = await service.call('GET', path);
  expect(status).toBe(200);
  return body as Page;
}

/** Stores one heart rate per day. */
async function store(userId: string, days: number): Promise<void> {
  const { userKey } = (await service.users.find(userId)) as { userKey: number };
  const source = { provider: 'polar', writer: 'cloud' } as const;
  await service.parts.writer.write(
    userKey,
    {
      sources: [source],
      records: [],
      samples: {
        length: days,
        sourceIndex: new Uint32Array(days),
        typeId: new Int16Array(days).fill(1),
        kind: new Uint8Array(days),
        startMs: Float64Array.from({ length: days }, (_, day) => Date.UTC(2026, 2, 1 + day, 12)),
        durationMs: new Float64Array(days).fill(Number.NaN),
        offsetMinutes: new Int16Array(days).fill(60),
        value: new Float64Array(days).fill(61),
        idHash: new Int32Array(days).fill(-1),
      },
    } as never,
    { arrival: { origin: 'push' } },
  );
}

describe('the feed', () => {
  it('responds to a waiting reader soon after a commit', async () => {
    const user = await createUser(service);
    const { cursor } = await read('/api/v1/changes?limit=1000');
    const waiting = read(`/api/v1/changes?cursor=${cursor}&wait=20&kinds=samples`);
    await store(user, 3);
    const { items } = await waiting;
    expect(items).toEqual([
      {
        position: 1,
        user_id: user,
        at: expect.any(String),
        kind: 'samples',
        action: 'created',
        type: 'heart_rate',
        days: [{ from: '2026-03-01', to: '2026-03-03' }],
        origin: 'push',
      },
    ]);
  });

  it('continues after the cursor of each page', async () => {
    const user = await createUser(service);
    for (const days of [1, 2, 3]) await store(user, days);
    const whole = await read(`/api/v1/users/${user}/changes`);
    const positions: (number | null)[] = [];
    let path = `/api/v1/users/${user}/changes?limit=2`;
    for (let page = await read(path); ; page = await read(`${path}&after=${page.cursor}`)) {
      positions.push(...page.items.map(({ position }) => position));
      if (!page.has_more) break;
      path = `/api/v1/users/${user}/changes?limit=2`;
    }
    expect(positions).toEqual(whole.items.map((_, index) => index + 1));
    expect(positions.length).toBeGreaterThan(5);
  });

  it('returns the newest change of a user first in descending order', async () => {
    const user = await createUser(service);
    for (const days of [1, 2, 3]) await store(user, days);
    const { items: oldestFirst } = await read(`/api/v1/users/${user}/changes`);
    const newestFirst: (number | null)[] = [];
    const path = `/api/v1/users/${user}/changes?sort_order=desc&limit=2`;
    for (let page = await read(path); ; page = await read(`${path}&after=${page.cursor}`)) {
      newestFirst.push(...page.items.map(({ position }) => position));
      if (!page.has_more) break;
    }
    expect(newestFirst).toEqual(oldestFirst.map(({ position }) => position).toReversed());
  });

  it("contains every entry of many users, each user's positions in order", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => createUser(service)));
    const { cursor } = await read('/api/v1/changes?limit=1000');
    await Promise.all(users.flatMap((user) => [1, 2, 3, 4].map((days) => store(user, days))));
    const found = new Map<string | null, (number | null)[]>();
    await expect
      .poll(
        async () => {
          found.clear();
          for (let at = cursor; ; ) {
            const page = await read(`/api/v1/changes?cursor=${at}&limit=7`);
            for (const { user_id: id, position } of page.items) {
              // Only changes of data have a position.
              if (position !== null) found.set(id, [...(found.get(id) ?? []), position]);
            }
            if (!page.has_more) break;
            at = page.cursor;
          }
          return users.map((user) => found.get(user)?.length);
        },
        { timeout: 20_000, interval: 500 },
      )
      .toEqual(
        await Promise.all(users.map(async (user) => (await read(`/api/v1/users/${user}/changes`)).items.length)),
      );
    for (const user of users) expect(found.get(user)).toEqual(found.get(user)?.map((_, index) => index + 1));
  });

  it('keeps only the erasure of an erased user', async () => {
    const user = await createUser(service);
    await store(user, 1);
    const { cursor } = await read('/api/v1/changes?limit=1000');
    const { call: asDeveloper } = await service.logIn();
    expect((await asDeveloper('DELETE', `/api/v1/users/${user}`)).status).toBe(200);
    const { items } = await read(`/api/v1/changes?cursor=${cursor}&wait=20&kinds=user`);
    expect(items).toMatchObject([{ position: null, user_id: user, kind: 'user', action: 'deleted' }]);
    expect((await service.call('GET', `/api/v1/users/${user}/changes`)).status).toBe(404);
    const { rows } = await service.pool.query("select from change where kind <> 'user' and body::text like $1", [
      `%${user}%`,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('omits users who were erased before a reader started', async () => {
    const { call: asDeveloper } = await service.logIn();
    const before = await createUser(service);
    await asDeveloper('DELETE', `/api/v1/users/${before}`);
    const { cursor } = await read('/api/v1/changes?limit=1000&wait=5');
    // The reader is still in the middle of the feed when the next user is erased.
    const first = await read('/api/v1/changes?limit=1');
    const after = await createUser(service);
    await asDeveloper('DELETE', `/api/v1/users/${after}`);
    await read(`/api/v1/changes?cursor=${cursor}&wait=20&kinds=user`);
    const erased: (string | null)[] = [];
    await expect
      .poll(async () => {
        erased.length = 0;
        for (let at = first.cursor; ; ) {
          const page = await read(`/api/v1/changes?cursor=${at}&limit=2`);
          erased.push(...page.items.filter(({ action }) => action === 'deleted').map(({ user_id: id }) => id));
          if (!page.has_more) return erased;
          at = page.cursor;
        }
      })
      .toContain(after);
    expect(erased).not.toContain(before);
  });

  it("accepts a new reader's first cursor after old entries were deleted", async () => {
    const { pool } = service;
    const user = await createUser(service);
    await store(user, 1);
    await expect.poll(async () => (await pool.query('select from change where ordinal is null')).rowCount).toBe(0);
    await pool.query(
      `update change set body = '{"action": "deleted", "user_id": "00000000-0000-4000-8000-000000000001"}'
        where ordinal in (select ordinal from change where kind = 'user' order by ordinal limit 3)`,
    );
    await pool.query('update feed_state set deleted_ordinal = last_ordinal - 1');
    const { cursor } = await read('/api/v1/changes?limit=1');
    await read(`/api/v1/changes?limit=1&cursor=${cursor}`);
  });

  it("accepts an old cursor of entries about users until the erasures' retention ends", async () => {
    const own = await startTestService();
    const { call: asDeveloper } = await own.logIn();
    const page = async (query: string) => own.call('GET', `/api/v1/changes?limit=1000${query}`);
    const sequenced = () =>
      expect.poll(async () => (await own.pool.query('select from change where ordinal is null')).rowCount).toBe(0);
    const age = (days: number) => own.pool.query('update change set at = at - make_interval(days => $1)', [days]);
    const clean = () =>
      feedCleaning({ pool: own.pool, days: 30, erasureDays: 400 }).clean({
        log: { info: () => undefined } as never,
        signal: new AbortController().signal,
      });
    await createUser(own);
    const erased = await createUser(own);
    await sequenced();
    const { cursor } = (await page('')).body as Page;
    await asDeveloper('DELETE', `/api/v1/users/${erased}`);
    await own.parts.priorities.providers.set([{ name: 'oura', priority: 3 }]);
    await sequenced();
    await age(40);
    await clean();
    expect((await page(`&cursor=${cursor}`)).status).toBe(410);
    expect((await page(`&cursor=${cursor}&kinds=user,connection`)).status).toBe(410);
    const users = await page(`&cursor=${cursor}&kinds=user`);
    expect((users.body as Page).items).toMatchObject([{ kind: 'user', action: 'deleted', user_id: erased }]);
    await createUser(own);
    await sequenced();
    await age(370);
    await clean();
    expect((await page(`&cursor=${cursor}&kinds=user`)).status).toBe(410);
    await own.stop();
  });

  it('limits the waiting requests of a key', async () => {
    const { cursor } = await read('/api/v1/changes?limit=1000');
    const statuses = await Promise.all(
      Array.from({ length: 51 }, async () => {
        const { status } = await service.call('GET', `/api/v1/changes?kinds=health_score&wait=3&cursor=${cursor}`);
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await service.call('GET', `/api/v1/changes?wait=1&cursor=${cursor}`)).status).toBe(200);
  });

  it('audits at most one non-empty read per key and minute', async () => {
    const own = await startTestService();
    const recorded = async () => {
      await own.audit.flush();
      const { rows } = await own.pool.query("select from audit_event where route = 'listChanges'");
      return rows.length;
    };
    await own.call('GET', '/api/v1/changes');
    expect(await recorded()).toBe(0);
    await createUser(own);
    await own.call('GET', '/api/v1/changes?wait=20');
    for (let count = 0; count < 5; count++) await own.call('GET', '/api/v1/changes');
    // The minute may change once during the test.
    expect([1, 2]).toContain(await recorded());
    await own.stop();
  });

  it('ends waiting requests when the service stops', async () => {
    const own = await startTestService();
    const queries = vi.spyOn(own.pool, 'query');
    const waiting = own.call('GET', '/api/v1/changes?kinds=health_score&wait=30');
    // The first page is empty, so the request waits once the page was read.
    await expect
      .poll(() =>
        queries.mock.calls.some(([query], call) => {
          const { text = '' } = query as { text?: string };
          return text.includes('deleted_ordinal as deleted') && queries.mock.settledResults[call]?.type === 'fulfilled';
        }),
      )
      .toBe(true);
    const stopped = own.stop();
    expect((await waiting).status).toBe(200);
    await stopped;
  });

  it('reports changed priorities without a user', async () => {
    const { cursor } = await read('/api/v1/changes?limit=1000');
    await service.parts.priorities.providers.set([{ name: 'oura', priority: 3 }]);
    const { items } = await read(`/api/v1/changes?cursor=${cursor}&wait=20&kinds=selection`);
    expect(items).toMatchObject([{ user_id: null, kind: 'selection', action: 'changed', cause: 'priorities' }]);
  });

  it('rejects cursors of another epoch with 410, unreadable cursors with 422', async () => {
    const { cursor } = await read('/api/v1/changes');
    const other = Buffer.from(
      Buffer.from(cursor, 'base64url').toString().replace(/\..*/, '.00000000-0000-4000-8000-000000000000'),
    ).toString('base64url');
    expect((await service.call('GET', `/api/v1/changes?cursor=${other}`)).status).toBe(410);
    expect((await service.call('GET', '/api/v1/changes?cursor=nonsense')).status).toBe(422);
  });

  it("rejects a cursor of another user's changes", async () => {
    const [one, other] = [await createUser(service), await createUser(service)];
    await store(one, 1);
    await store(other, 1);
    const { cursor } = await read(`/api/v1/users/${one}/changes?limit=1`);
    expect((await service.call('GET', `/api/v1/users/${one}/changes?after=${cursor}`)).status).toBe(200);
    expect((await service.call('GET', `/api/v1/users/${other}/changes?after=${cursor}`)).status).toBe(422);
  });

  it('responds 409 while disabled', async () => {
    const off = await startTestService({ settings: { feed: 'off' } });
    expect((await off.call('GET', '/api/v1/changes')).status).toBe(409);
    await off.stop();
  });
});
