import { createClient } from '../../packages/client/src/published.js';
import {
  type Change,
  type ChangesApi,
  type CopyApi,
  type DigestApi,
  follow,
  snapshotThenFollow,
} from '@healthd/client/feed';
import { expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.js';
import type { TestDatabase } from '../support/postgres.js';
import { MemoryCopy, verify } from './memory-copy.js';
import { type LoadCounts, sendUntil } from './push-load.js';
import { closeWorld, disturb, drained, KILLS, LIMIT_MS, openWorld, recover } from './push-world.js';

it(
  'delivers exactly the stored changes to a receiver despite killed processes',
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

/** Waits until every committed change has an ordinal. Other processes number the last changes of a killed process. */
async function numbered({ pool }: TestDatabase): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await pool.query('select from change where ordinal is null');
      expect(rowCount).toBe(0);
    },
    { timeout: 30_000, interval: 50 },
  );
}
