import type pg from 'pg';
import { JOIN_SOURCES, PLACE_ITEMS } from '../store/facts/index.js';
import type { RecordWriter } from '../store/write/index.js';

/** What a repair did; `resumeAt`: where its next transaction goes on, undefined once all is right. */
export interface Repaired {
  corrected: number;
  resumeAt?: Date;
}

/**
 * Puts right what is stored wrong about one user, in the caller's transaction, which locks the user's row; a second time
 * it finds nothing.
 */
export type Repair = (
  client: pg.ClientBase,
  userKey: number,
  given: { resumeAt: Date | undefined; writer: RecordWriter },
) => Promise<Repaired>;

/** Of a repair that finds by itself where it goes on. */
const FROM_WHAT_IS_LEFT = new Date(0);

/** By the name that is in `pending_repair`; each says how many rows it corrected. */
export const REPAIRS: ReadonlyMap<string, Repair> = new Map<string, Repair>([
  ['judge_naps', async (client, userKey, { writer }) => ({ corrected: await writer.reclassifyNaps(client, userKey) })],
  ['night_sources', (client, userKey, { resumeAt, writer }) => writer.rebuildNights(client, userKey, resumeAt)],
  [PLACE_ITEMS, (client, userKey, { resumeAt, writer }) => writer.redateItems(client, userKey, resumeAt)],
  [
    JOIN_SOURCES,
    async (client, userKey, { writer }) => {
      const { joined, isDone } = await writer.joinSources(client, userKey);
      return { corrected: joined, resumeAt: isDone ? undefined : FROM_WHAT_IS_LEFT };
    },
  ],
]);
