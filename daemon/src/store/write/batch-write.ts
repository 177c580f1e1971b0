import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import type { WriteResult } from '../facts/write-result.js';
import { loadBatchContext } from './load-context.js';
import { type RollUpInvalidations, refreshRollUps } from './roll-up-invalidations.js';
import { storeBatch } from './store-batch.js';
import type { RecordWriterOptions, WriteOptions } from './write-options.js';

/**
 * Stores batches in their order and brings the roll-ups of exactly the days and nights up to date that they touch, all
 * in the caller's transaction.
 * @returns the outcome of each batch
 * @throws UserMissingError
 */
export async function writeBatches(
  client: pg.ClientBase,
  userKey: number,
  batches: readonly RecordBatch[],
  how: RecordWriterOptions,
  options: WriteOptions = {},
): Promise<WriteResult[]> {
  await lockUser(client, userKey);
  let context = await loadBatchContext(client, userKey, how, batches, options);
  const results: WriteResult[] = [];
  const stale: RollUpInvalidations[] = [];
  for (const batch of batches) {
    const stored = await storeBatch(context, batch);
    context = stored.context;
    results.push(stored.result);
    stale.push(stored.stale);
  }
  if (!options.isDryRun) await refreshRollUps(context, stale);
  return results;
}
