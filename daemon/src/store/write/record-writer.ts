import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import type { Prerequisite } from '../../platform/database/index.js';
import type { SessionTable } from '../facts/tombstones.js';
import type { WriteResult } from '../facts/write-result.js';
import type { FileWriteOptions, FileWriter } from './file/file-writer.js';
import type { JoinOutcome } from './joined-sources/join-sources.js';
import type { DeletedRows } from './provider-deletion.js';
import type { RedateOutcome } from './redate-items.js';
import type { WriteOptions } from './write-options.js';

/** Stores, corrects and deletes users' health data. Every method that changes data locks the user's row first. */
export interface RecordWriter {
  /**
   * Returns the resource that a transaction with these batches must acquire before it locks the user; pass it to
   * `inTransaction`. Otherwise the transaction is rolled back and restarted.
   */
  threadFor(batches: readonly RecordBatch[]): Prerequisite | undefined;
  /**
   * Stores a batch in its own transaction. Applies the batch's deletions before its additions.
   * @throws UserMissingError, DecideLimitError
   */
  write(userKey: number, batch: RecordBatch, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Stores a batch in the caller's transaction, which must come from `inTransaction` and be rolled back on an error.
   */
  writeIn(client: pg.ClientBase, userKey: number, batch: RecordBatch, options?: WriteOptions): Promise<WriteResult>;
  /** Does the same as {@link writeIn} for several batches in order, and computes shared roll-ups once. */
  writeAllIn(
    client: pg.ClientBase,
    userKey: number,
    batches: readonly RecordBatch[],
    options?: WriteOptions,
  ): Promise<WriteResult[]>;
  /** Starts storing a file. Uses a connection until it is closed. */
  openFile(userKey: number, how: FileWriteOptions): Promise<FileWriter>;
  /**
   * Deletes one session until it is restored. Returns false if the user has no session with this id.
   * @throws UserMissingError
   */
  deleteSession(userKey: number, table: SessionTable, id: string): Promise<boolean>;
  /**
   * Accepts a deleted session again on its next delivery. Returns false if no session with this id was deleted.
   * @throws UserMissingError
   */
  restoreSession(userKey: number, table: SessionTable, id: string): Promise<boolean>;
  /**
   * Deletes all data of one provider. Returns false if no data was stored.
   * @throws UserMissingError
   */
  deleteProvider(userKey: number, provider: string): Promise<boolean>;
  /**
   * Deletes all data of one provider's cloud, in the caller's transaction. Keeps pushes and files.
   * @returns undefined if no data was stored
   * @throws UserMissingError
   */
  deleteCloudDataIn(client: pg.ClientBase, userKey: number, provider: string): Promise<DeletedRows | undefined>;
  /**
   * Detects aliases of the user's sources, or moves one chunk of data from an alias to its named source, in the
   * caller's transaction.
   * @throws UserMissingError
   */
  joinSources(client: pg.ClientBase, userKey: number): Promise<JoinOutcome>;
  /**
   * Redates one chunk of items without an offset by the user's current offsets and zones, in the caller's transaction.
   * @param from start of the chunk; undefined for the first chunk
   * @throws UserMissingError
   */
  redateItems(client: pg.ClientBase, userKey: number, from?: Date): Promise<RedateOutcome>;
  /**
   * Recalculates the nap status of a user's assembled sessions, in the caller's transaction.
   * @returns the number of corrected sessions
   * @throws UserMissingError
   */
  reclassifyNaps(client: pg.ClientBase, userKey: number): Promise<number>;
  /**
   * Recomputes the readings of one chunk of a user's nights, in the caller's transaction.
   * @param from start of the chunk; undefined for the first chunk
   * @throws UserMissingError
   */
  rebuildNights(client: pg.ClientBase, userKey: number, from?: Date): Promise<{ corrected: number; resumeAt?: Date }>;
  /**
   * Reassembles one chunk of a user's nights that earlier releases lost or extended because of a stage with a wrong
   * time, in the caller's transaction.
   * @param from start of the chunk; undefined for the first chunk
   * @throws UserMissingError
   */
  assembleLostNights(
    client: pg.ClientBase,
    userKey: number,
    from?: Date,
  ): Promise<{ corrected: number; resumeAt?: Date }>;
  /** Stops the threads that decide about large batches. */
  close(): Promise<void>;
}
