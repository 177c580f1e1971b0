import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import type { QueryPart } from '../../platform/database/index.js';
import type { ChangeOrigin } from '../facts/changes.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { DecideThreads } from './decide-threads.js';
import type { Identified } from '../decide/identified.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import type { WriteResult } from '../facts/write-result.js';

/** Operations on other modules' tables, in the batch's transaction. */
export interface BatchHooks {
  /** Ranks providers that have no priority yet. */
  rankProviders(client: pg.ClientBase, providers: readonly string[]): Promise<void>;
  /**
   * Stores the phones' home time zone with the user's connections to the providers.
   * @returns true if a connection changed
   */
  storePhoneZone(
    client: pg.ClientBase,
    phones: { userKey: number; providers: readonly string[]; zone: string },
  ): Promise<boolean>;
  /**
   * Returns a query for the first local day within a vendor's cache limit, if an operator accepted the limit. Its result
   * is in days since 1970-01-01; undefined if there is no limit.
   * @param provider SQL parameter with the vendor's provider, or null for data that comes from no vendor's cloud
   */
  firstStoredDay(provider: `$${number}`): QueryPart<never, number | undefined>;
}

/** Settings for all writes. */
export interface RecordWriterOptions {
  /** Maximum pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
  /** False to drop the positions of new data. */
  storeRoutes: boolean;
  /** Threads that decide about large batches. */
  threads: DecideThreads;
  hooks: BatchHooks;
}

/** Rules for merging a batch with stored data. */
export interface WriteOptions {
  /** Vendor account of a cloud's batch; undefined for pushes and files. */
  account?: string;
  /** True if the batch is older than the stored data. Such a batch only adds missing items. */
  keepStored?: boolean;
  /** How the batch arrived, and its run. */
  arrival?: { origin: ChangeOrigin; runId?: string | undefined };
  /** True if the batch comes from a file. */
  fromFile?: boolean;
  /** True if the file replaces earlier files. Items of earlier files that it lacks are deleted afterwards. */
  replacesFiles?: boolean;
  /** True for a dry run, which writes nothing. */
  isDryRun?: boolean;
  /** True if the samples were stored under another source before. Such samples never count as archived. */
  isMove?: boolean;
  /** Receives each batch's outcome before its transaction ends. */
  observe?(seen: SeenBatch): Promise<void>;
}

/** Outcome of a batch. */
export interface SeenBatch {
  identified: Identified;
  records: RecordBatch['records'];
  sources: ResolvedSources;
  timeline: OffsetTimeline;
  result: WriteResult;
  /** Local dates of new and changed workouts. */
  changedWorkouts: readonly { date: string; isNew: boolean }[];
}
