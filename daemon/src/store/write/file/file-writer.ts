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

/** How a file meets what is stored. */
export interface FileWriteOptions {
  /** What files brought before, and this one lacks, goes: see {@link FileWriter.removeMissing}. */
  replaces: boolean;
  /** Nothing is stored or removed; only the report says what would be. */
  isDryRun: boolean;
  /** The file is older than what is stored: it adds what is missing and changes nothing. */
  keepStored: boolean;
}

/** Stores a file batch by batch. */
export interface FileWriter {
  /** @throws UserMissingError, DecideLimitError */
  write(batch: RecordBatch): Promise<WriteResult>;
  /**
   * After the last batch: removes what files brought and this one lacks, of each series and source that it holds, from its
   * first item up to `untilMs`. What has an id was pushed, and stays. Each step is a transaction of its own; one that is
   * cut off leaves some of the old beside all of the new, and the same file once more finishes it.
   * @param untilMs when the file was written; what is newer it cannot know
   * @throws UserMissingError, the signal's reason
   */
  removeMissing(untilMs: number, signal?: AbortSignal): Promise<void>;
  /** What changed by series and month; undefined where that was not looked at. */
  changes(): SeriesChanges | undefined;
  /** How many rows were removed, or would be. */
  gone(): number | undefined;
  /** Archived days of the file's series and sources that {@link removeMissing} left as they are; undefined if there are none. */
  archivedDays(): ArchivedDays | undefined;
  /** Must be called in the end. */
  close(): void;
}

/** Local dates, the first and the last of them. */
export interface ArchivedDays {
  days: number;
  from: string;
  to: string;
}

export async function openFileWriter(
  pool: pg.Pool,
  userKey: number,
  { replaces, isDryRun, keepStored }: FileWriteOptions,
  how: RecordWriterOptions,
): Promise<FileWriter> {
  const contents = replaces ? await FileContents.open(pool) : undefined;
  const changes = replaces || isDryRun ? new ChangeCounts() : undefined;
  const observe = async (client: pg.ClientBase, seen: SeenBatch) => {
    await contents?.add(seen);
    if (changes) await countChanges(client, userKey, seen, changes);
  };
  const options: WriteOptions = { keepStored, isDryRun, fromFile: true, replacesFiles: replaces, observe };
  // What is observed is kept beside the transaction.
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
      const removing = { isDryRun, changes, signal };
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
