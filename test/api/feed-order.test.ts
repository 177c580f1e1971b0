import { inTransaction } from '@healthd/daemon/platform/database';
import { batchOf } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../support/extent.js';
import { samplesEvery } from '../support/records.js';
import { startTestService } from '../support/service.js';

/** Number of pushes while a long transaction is open. */
const PUSHES = extent(150, 1_000);
/** Number of pushes at a time. */
const AT_ONCE = 3;

interface Page {
  items: { position: number | null; user_id: string | null; kind: string }[];
  cursor: string;
  has_more: boolean;
}

let service: Awaited<ReturnType<typeof startTestService>>;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

async function newUser(): Promise<{ id: string; userKey: number }> {
  const { body } = await service.call('POST', '/api/v1/users', {});
  return (await service.users.find(body.id)) as { id: string; userKey: number };
}

async function read(cursor: string | undefined, wait: number): Promise<Page> {
  const after = cursor === undefined ? '' : `&cursor=${cursor}`;
  const { status, body } = await service.call('GET', `/api/v1/changes?limit=1000&wait=${wait}${after}`);
  expect(status).toBe(200);
  return body;
}

async function endOfFeed(): Promise<string> {
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor, 0);
    if (!page.has_more) return page.cursor;
    cursor = page.cursor;
  }
}

/** Returns a batch with one heart rate. Storing it adds a few positions to the user's feed. */
function batchOfMinute(minute: number) {
  return batchOf(samplesEvery('heart_rate', new Date(Date.UTC(2026, 2, 1) + minute * 60_000).toISOString(), 1, [60]));
}

/** Stores data in a transaction that commits when `commit` is called. `written` resolves when the data is stored. */
function openTransaction(userKey: number) {
  let commit = (): void => {};
  let reportWritten = (): void => {};
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const written = new Promise<void>((resolve) => {
    reportWritten = resolve;
  });
  const ended = inTransaction(service.pool, async (client) => {
    await service.parts.writer.writeIn(client, userKey, batchOfMinute(0));
    reportWritten();
    await mayCommit;
  });
  return { written, commit, ended };
}

/** Follows the feed until `isDone` returns true for the positions read so far. */
async function follow(cursor: string, isDone: (read: Map<string | null, number[]>) => boolean) {
  const found = new Map<string | null, number[]>();
  let at = cursor;
  while (!isDone(found)) {
    const page = await read(at, 5);
    for (const { user_id: id, position } of page.items) {
      if (position !== null) found.set(id, [...(found.get(id) ?? []), position]);
    }
    at = page.cursor;
  }
  return { found, cursor: at };
}

const has = (id: string) => (found: Map<string | null, number[]>) => found.has(id);

describe('the feed of all users', () => {
  it('contains changes of transactions that commit in reverse order', async () => {
    const [slow, fast] = [await newUser(), await newUser()];
    const cursor = await endOfFeed();
    const first = openTransaction(slow.userKey);
    await first.written;
    const second = openTransaction(fast.userKey);
    await second.written;
    second.commit();
    await second.ended;
    const before = await follow(cursor, has(fast.id));
    expect(before.found.has(slow.id)).toBe(false);
    first.commit();
    await first.ended;
    const after = await follow(before.cursor, has(slow.id));
    expect(after.found.get(slow.id)?.[0]).toBe(1);
    expect(after.found.has(fast.id)).toBe(false);
  });

  it('contains a long transaction after the pushes during the transaction', async () => {
    const importing = await newUser();
    const users = await Promise.all(Array.from({ length: 10 }, newUser));
    const cursor = await endOfFeed();
    const long = openTransaction(importing.userKey);
    await long.written;
    let next = 0;
    const push = async () => {
      for (let at = next++; at < PUSHES; at = next++) {
        const { userKey } = users[at % users.length] as { userKey: number };
        await service.parts.writer.write(userKey, batchOfMinute(at));
      }
    };
    const pushing = Promise.all(Array.from({ length: AT_ONCE }, push));
    const stored = async () => {
      const { rows } = await service.pool.query<{ id: string; position: number }>(
        'select id, position from user_state join health_user using (user_key) where user_key = any ($1)',
        [users.map(({ userKey }) => userKey)],
      );
      return new Map(rows.map(({ id, position }) => [id, position]));
    };
    let last: Map<string, number> | undefined;
    void pushing.then(async () => {
      last = await stored();
    });
    // The reader must receive the last pushes although the transaction is still open.
    const during = await follow(
      cursor,
      (found) => last !== undefined && [...last].every(([id, position]) => found.get(id)?.length === position),
    );
    await pushing;
    for (const { id } of users) {
      const positions = during.found.get(id) ?? [];
      expect(positions).toEqual(positions.map((_, index) => index + 1));
    }
    expect(during.found.has(importing.id)).toBe(false);
    long.commit();
    await long.ended;
    expect((await follow(during.cursor, has(importing.id))).found.get(importing.id)?.[0]).toBe(1);
  });
});
