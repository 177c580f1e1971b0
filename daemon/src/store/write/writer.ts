import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import type { WriteResult } from '../facts/write-result.js';
import { assembleLostNights } from './assemble-lost-nights.js';
import { writeBatches } from './batch-write.js';
import { threadFor } from './decide-batch.js';
import { type DecideThreadOptions, DecideThreads } from './decide-threads.js';
import { openFileWriter } from './file/file-writer.js';
import { joinSources } from './joined-sources/join-sources.js';
import { deleteProviderIn } from './provider-deletion.js';
import { reclassifyStoredNaps } from './reclassify-naps.js';
import type { RecordWriter } from './record-writer.js';
import { rebuildNights } from './rebuild-nights.js';
import { redateItems } from './redate-items.js';
import { deleteSessionIn, restoreSessionIn } from './session-deletion.js';
import type { RecordWriterOptions, WriteOptions } from './write-options.js';

export function createRecordWriter(
  pool: pg.Pool,
  { decide, ...how }: Omit<RecordWriterOptions, 'threads'> & { decide: DecideThreadOptions },
): RecordWriter {
  const threads = new DecideThreads(decide);
  const options: RecordWriterOptions = { ...how, threads };
  const { sleepEndGapMinutes } = options;
  const writeAllIn: RecordWriter['writeAllIn'] = (client, userKey, batches, writeOptions) =>
    writeBatches(client, userKey, batches, options, writeOptions);
  const writeIn = async (client: pg.ClientBase, userKey: number, batch: RecordBatch, how?: WriteOptions) =>
    (await writeAllIn(client, userKey, [batch], how))[0] as WriteResult;
  return {
    threadFor: (batches) => threadFor(threads, batches),
    write: (userKey, batch, how) =>
      inTransaction(pool, (client) => writeIn(client, userKey, batch, how), threadFor(threads, [batch])),
    writeIn,
    writeAllIn,
    openFile: (userKey, how) => openFileWriter(pool, userKey, how, options),
    deleteSession: (userKey, table, id) =>
      inTransaction(pool, (client) => deleteSessionIn(client, userKey, table, id, sleepEndGapMinutes)),
    restoreSession: (userKey, table, id) =>
      inTransaction(pool, (client) => restoreSessionIn(client, userKey, table, id)),
    deleteProvider: async (userKey, provider) =>
      (await inTransaction(pool, (client) => deleteProviderIn(client, userKey, provider))) !== undefined,
    deleteCloudDataIn: (client, userKey, provider) => deleteProviderIn(client, userKey, provider, { cloudOnly: true }),
    joinSources: (client, userKey) => joinSources(client, userKey, options),
    redateItems: (client, userKey, from) => redateItems(client, userKey, sleepEndGapMinutes, from),
    reclassifyNaps: (client, userKey) => reclassifyStoredNaps(client, userKey, sleepEndGapMinutes),
    rebuildNights,
    assembleLostNights: (client, userKey, from) => assembleLostNights(client, userKey, sleepEndGapMinutes, from),
    close: () => threads.close(),
  };
}
