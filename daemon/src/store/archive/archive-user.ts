import { ARCHIVED_TYPE_IDS, fromDayNumber, MAX_OFFSET_MS, MS_PER_DAY, NIGHTLY_TYPE_IDS } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUser, sampleKind } from '../../platform/database/index.js';
import type { MergeQuery } from '../derived/merged/merge-sources.js';
import { type PushedKey, unlistSomeBefore } from '../facts/pushed/pushed-samples.js';
import { archiveWindow } from './archive-window.js';
import { keepNightSources, type ReadNightSources } from './night-sources.js';
import { archivableSources, PENDING_DAYS } from './never-archived.js';
import { ROWS_PER_STEP } from './rows-per-step.js';

export interface ArchiveOptions {
  /** Local days before this one (days since 1970-01-01) are archived. */
  beforeDay: number;
  /** Orders sources of one account; lower wins. */
  compare: MergeQuery['compare'];
  /** Identifies the priorities that `compare` uses. */
  deviceOrder: number;
  /** Returns providers whose cloud data is currently never archived. */
  neverArchived?: (() => Promise<readonly string[]>) | undefined;
  /** Reads the sources of nights. Omit it if no summaries are needed; archived nights then store no sources. */
  readNightSources?: ReadNightSources;
  /** Stops the work between two transactions. */
  signal?: AbortSignal | undefined;
  /** Maximum number of separate rows of pushed samples that one transaction deletes. */
  rowsPerStep?: number;
}

/**
 * Archives a user's old days, some days of one series per transaction. Each commit is complete, so the work can stop at
 * any time and continue later. Idempotent.
 * @returns the number of removed samples
 * @throws UserMissingError
 */
export async function archiveUser(
  pool: pg.Pool,
  userKey: number,
  {
    beforeDay,
    signal,
    readNightSources,
    neverArchived = async () => [],
    rowsPerStep = ROWS_PER_STEP,
    ...order
  }: ArchiveOptions,
): Promise<number> {
  const rows = await pendingTypes(pool, userKey, beforeDay, await neverArchived());
  if (readNightSources && rows.some(({ type_id: typeId }) => NIGHTLY_TYPE_IDS.includes(typeId))) {
    await keepNightSources(pool, userKey, { lastDate: fromDayNumber(beforeDay), read: readNightSources, signal });
  }
  let total = 0;
  for (const { type_id: typeId } of rows) {
    let fromDay: number | undefined;
    for (let done = false; !done; ) {
      signal?.throwIfAborted();
      const spared = await neverArchived();
      const window = await inTransaction(pool, async (client) => {
        await lockUser(client, userKey);
        const query = { typeId, beforeDay, neverArchived: spared, fromDay, ...order };
        const archived = await archiveWindow(client, userKey, query);
        if (archived.changed) await recordWindow(client, userKey, beforeDay);
        return archived;
      });
      total += window.removed;
      done = window.done;
      fromDay = window.lastDay;
    }
  }
  if (total > 0) {
    // Local days depend on offsets, so only samples before this instant are certainly archived.
    const archivedMs = beforeDay * MS_PER_DAY - MAX_OFFSET_MS;
    let after: PushedKey | undefined;
    do {
      signal?.throwIfAborted();
      const from = after;
      after = await inTransaction(pool, async (client) => {
        await lockUser(client, userKey);
        const sourceIds = await archivableSources(client, userKey, await neverArchived());
        const selected = { typeIds: ARCHIVED_TYPE_IDS, sourceIds, after: from, limit: rowsPerStep };
        return unlistSomeBefore(client, userKey, archivedMs, selected);
      });
    } while (after);
  }
  return total;
}

/** Returns series with samples that may be archived. */
async function pendingTypes(
  pool: pg.Pool,
  userKey: number,
  beforeDay: number,
  neverArchived: readonly string[],
): Promise<{ type_id: number }[]> {
  const sources = await archivableSources(pool, userKey, neverArchived);
  if (sources) {
    const { rows } = await pool.query<{ type_id: number }>(
      `select distinct type_id from (${PENDING_DAYS}) pending order by type_id`,
      [userKey, ARCHIVED_TYPE_IDS, fromDayNumber(beforeDay), sources, null],
    );
    return rows;
  }
  const { rows } = await pool.query<{ type_id: number }>(
    `select type_id from unnest($2::int2[]) as wanted (type_id)
      where exists (select from sample s where s.user_key = $1 and s.type_id = wanted.type_id and ${sampleKind('s.')} = 0
                       and s.start_at < to_timestamp($3::float8 / 1000))`,
    [userKey, ARCHIVED_TYPE_IDS, beforeDay * MS_PER_DAY + MAX_OFFSET_MS],
  );
  return rows;
}

async function recordWindow(client: pg.ClientBase, userKey: number, beforeDay: number): Promise<void> {
  await client.query({
    name: 'records-note-archived',
    text: `insert into user_archive as stored (user_key, archived_before, windows) values ($1, $2, 1)
           on conflict (user_key) do update
              set archived_before = greatest(stored.archived_before, excluded.archived_before),
                  windows = stored.windows + 1`,
    values: [userKey, fromDayNumber(beforeDay)],
  });
}
