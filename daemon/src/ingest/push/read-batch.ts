import { type BodyFault, PushReaderError, type PushReading } from '@healthd/providers';
import { UserMissingError } from '../../platform/database/index.js';
import type { DrainServices } from './drain-services.js';
import { bodyOf, type WaitingBatch } from './waiting-batches.js';

/**
 * A batch that was begun so often, over so long a time, may be what ends the process. The time keeps a stormy quarter of
 * an hour (a process that is restarted again and again, a database that comes and goes) from costing good batches.
 */
const MAX_ATTEMPTS = 10;
const GIVE_UP_AFTER_SECONDS = 1_800;
/** Reading depends on nothing but the body, so it fails the same way again. */
const MAX_READ_ATTEMPTS = 3;

/** What a batch holds; undefined for one that is refused or given up. */
export async function readingOf(
  { pool, reader, maxBytes }: DrainServices,
  { batchId, provider, encoding, attempts, ageSeconds, waitingSeconds, isRefused }: WaitingBatch,
): Promise<PushReading | BodyFault | undefined> {
  if (isRefused) return undefined;
  if (attempts >= MAX_ATTEMPTS && waitingSeconds >= GIVE_UP_AFTER_SECONDS) return undefined;
  const body = await bodyOf(pool, batchId);
  if (body === undefined) throw new UserMissingError();
  try {
    return await reader.read({ body, encoding, provider, maxBytes, receivedAtMs: Date.now() - ageSeconds * 1000 });
  } catch (error) {
    if (error instanceof PushReaderError && attempts + 1 >= MAX_READ_ATTEMPTS) return undefined;
    throw error;
  }
}
