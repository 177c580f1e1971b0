import type pg from 'pg';
import { JOIN_SOURCES, PLACE_ITEMS } from '../store/facts/index.js';
import type { RecordWriter } from '../store/write/index.js';

/** Result of a repair. `resumeAt`: where its next transaction continues; undefined once finished. */
export interface Repaired {
  corrected: number;
  resumeAt?: Date;
}

/** Repairs one user's stored data in the caller's transaction, which locks the user's row. Idempotent. */
export type Repair = (
  client: pg.ClientBase,
  userKey: number,
  given: { resumeAt: Date | undefined; writer: RecordWriter },
) => Promise<Repaired>;

/** Start of a repair that finds its position itself. */
const FROM_WHAT_IS_LEFT = new Date(0);

/** Repairs by their name in `pending_repair`. Each returns the number of corrected rows. */
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
