import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { inRolledBackTransaction, inTransaction, inTransactionOnce } from '../../../platform/database/index.js';
import type { WriteResult } from '../../facts/write-result.js';
import { writeBatches } from '../batch-write.js';
import { threadFor } from '../decide-batch.js';
import type { RecordWriterOptions, SeenBatch, WriteOptions } from '../write-options.js';
import { ChangeCounts, type SeriesChanges } from './change-counts.js';
import { countChanges } from './count-changes.js';
import { FileContents } from './file-contents.js';
import { type MissingSpan, removeMissingSamples } from './missing-samples.js';
import { removeMissingSessions } from './missing-sessions.js';

/** Rules for merging a file with stored data. */
export interface FileWriteOptions {
  /** True to delete data of earlier files that this file lacks: see {@link FileWriter.removeMissing}. */
  replaces: boolean;
  /** True for a dry run, which only reports the changes. */
  isDryRun: boolean;
  /** True if the file is older than the stored data: it only adds missing items. */
  keepStored: boolean;
  runId: string;
}

/** Stores a file batch by batch. */
export interface FileWriter {
  /** @throws UserMissingError, DecideLimitError */
  write(batch: RecordBatch): Promise<WriteResult>;
  /**
   * Deletes data of earlier files that this file lacks, after the last batch. Covers each series and source in the
   * file, from its first item to `untilMs`. Keeps items with ids, which were pushed. Each step is a transaction. If
   * interrupted, some old data remains, and importing the file again finishes the deletion.
   * @param untilMs time when the file was written, because it cannot contain newer items
   * @throws UserMissingError, the signal's reason
   */
  removeMissing(untilMs: number, signal?: AbortSignal): Promise<void>;
  /** Changes by series and month; undefined if they were not counted. */
  changes(): SeriesChanges | undefined;
  /** Number of rows that were, or would be, deleted. */
  gone(): number | undefined;
  /**
   * Archived days of the file's series and sources that {@link removeMissing} kept; undefined if it kept no archived
   * day.
   */
  archivedDays(): ArchivedDays | undefined;
  /** Releases the resources. Always call it at the end. */
  close(): void;
}

/** Number of archived days, and the first and last local date. */
export interface ArchivedDays {
  days: number;
  from: string;
  to: string;
}

export async function openFileWriter(
  pool: pg.Pool,
  userKey: number,
  { replaces, isDryRun, keepStored, runId }: FileWriteOptions,
  how: RecordWriterOptions,
): Promise<FileWriter> {
  const contents = replaces ? await FileContents.open(pool) : undefined;
  const changes = replaces || isDryRun ? new ChangeCounts() : undefined;
  const observe = async (seen: SeenBatch) => {
    await contents?.add(seen);
    if (changes) countChanges(seen, changes);
  };
  const arrival = { origin: 'import', runId } as const;
  const options: WriteOptions = { arrival, keepStored, isDryRun, fromFile: true, replacesFiles: replaces, observe };
  // Runs the transaction only once if changes are counted. Keys passed to `observe` are stored outside the transaction,
  // so a rollback does not remove them.
  const run = isDryRun ? inRolledBackTransaction : changes ? inTransactionOnce : inTransaction;
  let archived: ArchivedDays | undefined;
  return {
    async write(batch) {
      const [result] = await run(
        pool,
        (client) => writeBatches(client, userKey, [batch], how, options),
        threadFor(how.threads, [batch]),
      );
      return result as WriteResult;
    },
    async removeMissing(untilMs, signal) {
      if (!contents || !changes || !(contents.firstMs < untilMs)) return;
      await contents.complete();
      const { sleepEndGapMinutes } = how;
      const span = { userKey, sleepEndGapMinutes, fromMs: contents.firstMs, toMs: untilMs };
      const removing = { isDryRun, changes, signal, runId };
      await removeMissingSamples(pool, contents, span, removing);
      await removeMissingSessions(pool, contents, span, removing);
      archived = await findArchivedDays(pool, contents, span);
    },
    changes: () => changes?.list(),
    gone: () => changes?.gone,
    archivedDays: () => archived,
    close: () => contents?.close(),
  };
}

async function findArchivedDays(
  pool: pg.Pool,
  { sourcesOf }: FileContents,
  { userKey, fromMs, toMs }: MissingSpan,
): Promise<ArchivedDays | undefined> {
  const pairs = [...sourcesOf].flatMap(([typeId, sources]) => [...sources].map((sourceId) => ({ typeId, sourceId })));
  const { rows } = await pool.query<{ days: number; from: string; to: string }>(
    `select count(distinct local_date)::int as days, min(local_date)::text as from, max(local_date)::text as to
       from day_archive join unnest($2::smallint[], $3::int[]) as held (type_id, source_id) using (type_id, source_id)
      where user_key = $1 and local_date between (to_timestamp($4 / 1000.0) at time zone 'UTC')::date
                                             and (to_timestamp($5 / 1000.0) at time zone 'UTC')::date`,
    [userKey, pairs.map(({ typeId }) => typeId), pairs.map(({ sourceId }) => sourceId), fromMs, toMs],
  );
  const found = rows[0];
  return found && found.days > 0 ? found : undefined;
}
