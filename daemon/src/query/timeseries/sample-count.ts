import { fromDayNumber, localDate, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import type { InstantBounds } from '../bounds.js';
import { sqlInstant } from '../sql-instant.js';
import { countByIndex, countByRollup, type EdgeOffsets, edgeOffsets } from './sample-count.sql.js';

/** Which samples are meant; `sourceIds` undefined means all sources. */
export interface SampleSelection {
  typeIds: readonly number[];
  sourceIds: readonly number[] | undefined;
  bounds: InstantBounds;
}

/** The number of samples of a list for one of its pages; null where only the first page has it. */
export async function countOf(
  pool: pg.Pool,
  userKey: number,
  { cursor, countsFirstPageOnly }: { cursor?: string; countsFirstPageOnly?: boolean },
  selection: SampleSelection,
): Promise<number | null> {
  return countsFirstPageOnly && cursor !== undefined ? null : countSamples(pool, userKey, selection);
}

/** The exact number of samples selected. The cost is that of days and of the two cut edges, not of samples. */
export async function countSamples(pool: pg.Pool, userKey: number, selection: SampleSelection): Promise<number> {
  const { typeIds, bounds } = selection;
  const sourceIds = selection.sourceIds ?? null;
  const inner = await innerDays(pool, userKey, bounds);
  const query = inner
    ? countByRollup([
        userKey,
        typeIds,
        sourceIds,
        fromDayNumber(inner.firstDay),
        fromDayNumber(inner.beforeDay),
        sqlInstant(bounds.fromMs),
        sqlInstant(Math.min(inner.headBeforeMs, bounds.beforeMs)),
        sqlInstant(Math.max(inner.tailFromMs, bounds.fromMs)),
        sqlInstant(bounds.beforeMs),
      ])
    : countByIndex([userKey, typeIds, sourceIds, sqlInstant(bounds.fromMs), sqlInstant(bounds.beforeMs)]);
  const { rows } = await pool.query<{ count: number }>(query);
  return rows[0]?.count ?? 0;
}

/**
 * Local days whose samples all are in the range, whichever offset they have, and how far samples of other local days
 * reach into the range from both edges. Undefined when there is no such day.
 */
async function innerDays(pool: pg.Pool, userKey: number, { fromMs, beforeMs }: InstantBounds) {
  if (beforeMs - fromMs < 2 * MS_PER_DAY) return undefined;
  const { rows } = await pool.query<EdgeOffsets>(edgeOffsets([userKey, localDate(fromMs, 0), localDate(beforeMs, 0)]));
  const offsets = rows[0] ?? { head_min: 0, head_max: 0, tail_min: 0, tail_max: 0 };
  const firstDay = Math.ceil((fromMs + offsets.head_max * MS_PER_MINUTE) / MS_PER_DAY);
  const beforeDay = Math.floor((beforeMs + offsets.tail_min * MS_PER_MINUTE) / MS_PER_DAY);
  if (beforeDay <= firstDay) return undefined;
  return {
    firstDay,
    beforeDay,
    headBeforeMs: firstDay * MS_PER_DAY - offsets.head_min * MS_PER_MINUTE,
    tailFromMs: beforeDay * MS_PER_DAY - offsets.tail_max * MS_PER_MINUTE,
  };
}
