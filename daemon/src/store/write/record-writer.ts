import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import type { Prerequisite } from '../../platform/database/index.js';
import type { SessionTable } from '../facts/tombstones.js';
import type { WriteResult } from '../facts/write-result.js';
import type { FileWriteOptions, FileWriter } from './file/file-writer.js';
import type { JoinedPortion } from './joined-sources/join-sources.js';
import type { DeletedRows } from './provider-deletion.js';
import type { RedatedPortion } from './redate-items.js';
import type { WriteOptions } from './write-options.js';

/** The only writer of health data. Every method locks the user's row first. */
export interface RecordWriter {
  /**
   * What the caller's transaction with these batches waits for before it locks the user; pass it to `inTransaction`. Without it
   * the transaction is rolled back and begins again.
   */
  threadFor(batches: readonly RecordBatch[]): Prerequisite | undefined;
  /**
   * Stores a batch in a transaction of its own. Its deletions and replacements come first, then all else.
   * @throws UserMissingError, DecideLimitError
   */
  write(userKey: number, batch: RecordBatch, options?: WriteOptions): Promise<WriteResult>;
  /** As {@link write}, in the caller's transaction, which must be one of `inTransaction` and rolled back when this rejects. */
  writeIn(client: pg.ClientBase, userKey: number, batch: RecordBatch, options?: WriteOptions): Promise<WriteResult>;
  /** As {@link writeIn} for several batches in their order; roll-ups that they share are computed once. */
  writeAllIn(
    client: pg.ClientBase,
    userKey: number,
    batches: readonly RecordBatch[],
    options?: WriteOptions,
  ): Promise<WriteResult[]>;
  /** Begins to store a file, which needs a connection until it is closed. */
  openFile(userKey: number, how: FileWriteOptions): Promise<FileWriter>;
  /**
   * Deletes one session for good, until it is restored; false when the user has none with this id.
   * @throws UserMissingError
   */
  deleteSession(userKey: number, table: SessionTable, id: string): Promise<boolean>;
  /**
   * Lets a deleted session come back when it is read again; false when none was deleted under this id.
   * @throws UserMissingError
   */
  restoreSession(userKey: number, table: SessionTable, id: string): Promise<boolean>;
  /**
   * Deletes everything that came from one provider; false when there was nothing.
   * @throws UserMissingError
   */
  deleteProvider(userKey: number, provider: string): Promise<boolean>;
  /**
   * Deletes all data of one provider's cloud, in the caller's transaction. Pushes and files stay.
   * @returns undefined if no data was stored
   * @throws UserMissingError
   */
  deleteCloudDataIn(client: pg.ClientBase, userKey: number, provider: string): Promise<DeletedRows | undefined>;
  /**
   * Moves a portion of what is stored under two sources that are one to one of them, in the caller's transaction.
   * @throws UserMissingError
   */
  joinSources(client: pg.ClientBase, userKey: number): Promise<JoinedPortion>;
  /**
   * Gives a portion of what came without an offset the local dates that the user's offsets and zones say now, in the
   * caller's transaction.
   * @param from where the portion begins; undefined for the first one
   * @throws UserMissingError
   */
  redateItems(client: pg.ClientBase, userKey: number, from?: Date): Promise<RedatedPortion>;
  /**
   * Finds out again which of a user's assembled sessions are naps, in the caller's transaction.
   * @returns how many were wrong before
   * @throws UserMissingError
   */
  reclassifyNaps(client: pg.ClientBase, userKey: number): Promise<number>;
  /**
   * Computes the readings of a portion of a user's nights again, in the caller's transaction.
   * @param from where the portion starts; undefined for the first one
   * @throws UserMissingError
   */
  rebuildNights(client: pg.ClientBase, userKey: number, from?: Date): Promise<{ corrected: number; resumeAt?: Date }>;
  /** Ends the threads that decide about large batches. */
  close(): Promise<void>;
}
