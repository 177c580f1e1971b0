import type { ProviderId, RecordBatch } from '@healthd/model';
import type pg from 'pg';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { DecideThreads } from './decide-threads.js';
import type { Identified } from '../decide/identified.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import type { WriteResult } from '../facts/write-result.js';

/** What a batch changes in tables that other folders write, each in the transaction of the batch. */
export interface BatchHooks {
  /** Gives a place in the order of providers to those that have none yet. */
  rankProviders(client: pg.ClientBase, providers: readonly string[]): Promise<void>;
  /**
   * Keeps with the user's connections to the providers the zone that their phones are at home in.
   * @returns whether that changed a connection
   */
  storePhoneZone(
    client: pg.ClientBase,
    phones: { userKey: number; providers: readonly string[]; zone: string },
  ): Promise<boolean>;
  /**
   * Reads the first local day that the cache limit of a vendor keeps, if an operator accepted the limit.
   * @returns days since 1970-01-01; undefined if there is no limit
   */
  firstKeptDay(client: pg.ClientBase, provider: ProviderId): Promise<number | undefined>;
}

/** How everything is stored. */
export interface RecordWriterOptions {
  /** Longest pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
  /** Decide about large batches. */
  threads: DecideThreads;
  hooks: BatchHooks;
}

/** How a batch meets what is stored. */
export interface WriteOptions {
  /** Vendor account that a cloud's batch belongs to; undefined for pushes and files. */
  account?: string;
  /** The batch is older than what is stored: it adds what is missing and changes nothing. */
  keepStored?: boolean;
  /** The batch was read out of a file. */
  fromFile?: boolean;
  /** The file takes the place of those before it: what they brought and it lacks is about to go. */
  replacesFiles?: boolean;
  /** Nothing is to stay: what is worked out of samples is left as it is, and the caller rolls the rest back. */
  isDryRun?: boolean;
  /** The samples were stored already, under another source: none of them counts as archived. */
  isMove?: boolean;
  /** Called with the outcome of each batch, in its transaction. */
  observe?(client: pg.ClientBase, seen: SeenBatch): Promise<void>;
}

/** What became of a batch. */
export interface SeenBatch {
  identified: Identified;
  records: RecordBatch['records'];
  sources: ResolvedSources;
  timeline: OffsetTimeline;
  result: WriteResult;
}
