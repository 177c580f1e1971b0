import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { inTransaction } from '../database/index.js';
import { writeBatches } from './batch-write.js';
import { eraseUserData } from './erasure.js';
import { deleteProviderIn } from './provider-deletion.js';
import { deleteSessionIn, type SessionTable } from './session-deletion.js';
import type { WriteResult } from './write-result.js';

export interface RecordWriterOptions {
  /** Longest pause between sleep stages of one session. */
  sleepEndGapMinutes: number;
}

/** The only writer of health data. Every method locks the user's row first. */
export interface RecordWriter {
  /**
   * Stores a batch in a transaction of its own. Its deletions and replacements come first, then all else.
   * @throws UserMissingError
   */
  write(userKey: number, batch: RecordBatch): Promise<WriteResult>;
  /** As {@link write}, in the caller's transaction, which must be rolled back when this rejects. */
  writeIn(client: pg.ClientBase, userKey: number, batch: RecordBatch): Promise<WriteResult>;
  /** As {@link writeIn} for several batches in their order; roll-ups that they share are computed once. */
  writeAllIn(client: pg.ClientBase, userKey: number, batches: readonly RecordBatch[]): Promise<WriteResult[]>;
  /**
   * Deletes one session; false when the user has none with this id.
   * @throws UserMissingError
   */
  deleteSession(userKey: number, table: SessionTable, id: string): Promise<boolean>;
  /**
   * Deletes everything that came from one provider; false when there was nothing.
   * @throws UserMissingError
   */
  deleteProvider(userKey: number, provider: string): Promise<boolean>;
  /** Removes all health data of a user, in the caller's transaction; the user's own row is the caller's. */
  eraseUserData(client: pg.ClientBase, userKey: number): Promise<void>;
}

export function createRecordWriter(pool: pg.Pool, options: RecordWriterOptions): RecordWriter {
  const writeAllIn = (client: pg.ClientBase, userKey: number, batches: readonly RecordBatch[]) =>
    writeBatches(client, userKey, batches, options.sleepEndGapMinutes);
  const writeIn = async (client: pg.ClientBase, userKey: number, batch: RecordBatch) =>
    (await writeAllIn(client, userKey, [batch]))[0] as WriteResult;
  return {
    write: (userKey, batch) => inTransaction(pool, (client) => writeIn(client, userKey, batch)),
    writeIn,
    writeAllIn,
    deleteSession: (userKey, table, id) =>
      inTransaction(pool, (client) => deleteSessionIn(client, userKey, table, id, options.sleepEndGapMinutes)),
    deleteProvider: (userKey, provider) => inTransaction(pool, (client) => deleteProviderIn(client, userKey, provider)),
    eraseUserData,
  };
}
