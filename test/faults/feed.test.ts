import { createClient } from '../../packages/client/src/published.js';
import {
  type ChangedDays,
  type ChangesApi,
  type Change,
  type CopyApi,
  type DigestApi,
  DigestBuilder,
  follow,
  type HealthCopy,
  type Snapshot,
  type SnapshotRow,
  snapshotThenFollow,
  verifyCopy,
} from '@healthd/client/feed';
import { expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.js';
import type { TestDatabase } from '../support/postgres.js';
import { type LoadCounts, sendUntil } from './push-load.js';
import { closeWorld, disturb, drained, KILLS, LIMIT_MS, openWorld, recover } from './push-world.js';

interface CopiedUser {
  position: number;
  keyId: string;
  digestKey: string;
  rows: SnapshotRow[];
}

/** A copy in memory, because this test kills the service and not the receiver. */
class MemoryCopy implements HealthCopy {
  readonly users = new Map<string, CopiedUser>();
  #begun: string | undefined;
  #cursor: string | undefined;
  #isComplete = false;

  cursors = {
    load: async () => (this.#isComplete ? this.#cursor : undefined),
    save: async (cursor: string) => {
      this.#cursor = cursor;
    },
  };

  async begin(cursor: string): Promise<void> {
    this.#begun = cursor;
  }

  async unfinished(): Promise<string | undefined> {
    return this.#isComplete ? undefined : this.#begun;
  }

  async isCopied(userId: string): Promise<boolean> {
    return this.users.has(userId);
  }

  async complete(): Promise<void> {
    this.#cursor = this.#begun;
    this.#isComplete = true;
  }

  async replaceUser(userId: string, read: () => Promise<Snapshot>): Promise<void> {
    const { head, lines } = await read();
    const rows = await rowsOf(lines);
    this.users.set(userId, { position: head.position, keyId: head.key_id, digestKey: head.digest_key, rows });
  }

  async replaceDays(
    userId: string,
    position: number,
    changed: readonly ChangedDays[],
    read: (days: ChangedDays) => Promise<Snapshot>,
  ): Promise<boolean> {
    const user = this.users.get(userId);
    if (!user) return false;
    if (user.position >= position) return true;
    let { rows } = user;
    for (const days of changed) {
      const isReplaced = ({ kind, type, day }: SnapshotRow) =>
        days.kinds.includes(kind) &&
        (kind !== 'samples' || days.types.includes(type ?? '')) &&
        days.from <= day &&
        day <= days.to;
      const { lines } = await read(days);
      rows = [...rows.filter((row) => !isReplaced(row)), ...(await rowsOf(lines))];
    }
    this.users.set(userId, { ...user, rows, position });
    return true;
  }

  async deleteUser(userId: string): Promise<void> {
    this.users.delete(userId);
  }
}

async function rowsOf(lines: Snapshot['lines']): Promise<SnapshotRow[]> {
  const rows: SnapshotRow[] = [];
  for await (const line of lines) if (line.kind !== 'source') rows.push(line);
  return rows;
}

it(
  'a receiver gets exactly the stored changes while processes are killed',
  async () => {
    const port = await freePort();
    const world = await openWorld(undefined, { PORT: String(port) });
    const stop = new AbortController();
    const over = new AbortController();
    try {
      const client = createClient({
        baseUrl: `http://127.0.0.1:${port}`,
        apiKey: world.api.apiKey ?? '',
      }) as unknown as CopyApi & ChangesApi & DigestApi;
      const copy = new MemoryCopy();
      /** Entries that the feed returned, by user and position. */
      const told = new Map<string, string>();
      const repeated: string[] = [];
      const last = new Map<string, number>();
      const disordered: string[] = [];
      let cursor: string | undefined;
      const cursors = {
        load: async () => cursor,
        save: async (next: string) => {
          cursor = next;
        },
      };
      const listen = (options: { untilCurrent?: boolean; signal?: AbortSignal }) =>
        follow(client, { cursors, waitSeconds: 2, onChanges: async (changes) => changes.forEach(hear), ...options });
      const hear = (change: Change) => {
        const { user_id: id, position } = change;
        if (id === null || position === null) return;
        const key = `${id} ${position}`;
        if (told.has(key)) repeated.push(key);
        told.set(key, JSON.stringify(change));
        if (position !== (last.get(id) ?? 0) + 1) disordered.push(key);
        last.set(id, position);
      };
      const counts: LoadCounts = { accepted: 0, later: 0, lost: 0, wrong: [] };
      const service = { url: () => world.api.url, headers: world.headers };
      const sending = world.phones.map((phone) => sendUntil(phone, service, counts, stop.signal));
      const copying = snapshotThenFollow(client, copy, { waitSeconds: 2, signal: over.signal });
      const listening = listen({ signal: over.signal });
      const kills = await disturb(world, counts);
      stop.abort();
      await recover(world);
      await Promise.all(sending);
      await drained(world);
      await numbered(world.database);
      over.abort();
      await Promise.all([copying, listening]);
      // Changes of an aborted request may not have been applied. The service returns them again.
      await listen({ untilCurrent: true });
      await snapshotThenFollow(client, copy, { untilCurrent: true });
      const states = await Promise.all(world.phones.map(({ userId }) => verify(client, copy, userId)));
      const { rows } = await world.database.pool.query<{ key: string }>(
        "select u.id || ' ' || number as key from change join health_user u using (user_key) where is_data",
      );
      const figures = { kills, accepted: counts.accepted, entries: rows.length, repeated: repeated.length };
      console.log(JSON.stringify({ ...figures, rows: [...copy.users.values()].map((user) => user.rows.length) }));
      expect(counts.wrong).toEqual([]);
      expect(kills).toBeGreaterThanOrEqual(KILLS);
      expect(states).toEqual(states.map(() => ({ state: 'equal', differences: [] })));
      expect(disordered).toEqual([]);
      expect([...told.keys()].sort()).toEqual(rows.map(({ key }) => key).sort());
      for (const { userId, made } of world.phones) {
        const workouts = copy.users.get(userId)?.rows.filter(({ kind }) => kind === 'workout');
        expect(workouts).toHaveLength(made);
      }
    } finally {
      over.abort();
      await closeWorld(world);
    }
  },
  LIMIT_MS,
);

/** Waits until a reader gets every committed change. A killed process leaves its last changes to the others. */
async function numbered({ pool }: TestDatabase): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await pool.query('select from change where ordinal is null');
      expect(rowCount).toBe(0);
    },
    { timeout: 30_000, interval: 50 },
  );
}

async function verify(client: DigestApi, copy: MemoryCopy, userId: string) {
  const { position, keyId, digestKey, rows } = copy.users.get(userId) as CopiedUser;
  const days = rows.map(({ day }) => day).sort();
  const { state, differences } = await verifyCopy(client, {
    userId,
    position,
    keyId,
    stored: days.length === 0 ? undefined : { from: days[0] as string, to: days.at(-1) as string },
    digests: async ({ from, to }) => {
      const builder = new DigestBuilder(digestKey);
      for (const row of rows) if (from <= row.day && row.day <= to) builder.add(row);
      return builder.digests();
    },
  });
  return { state, differences };
}
