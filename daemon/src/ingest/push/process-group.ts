import { type BodyFault, PushReaderError, type PushReading } from '@healthd/providers';
import type pg from 'pg';
import { inTransaction, lockUser, UserMissingError } from '../../platform/database/index.js';
import { hasNewerData, type RunOutcome } from '../../runs/index.js';
import type { WriteResult } from '../../store/facts/index.js';
import type { DecideLimitError } from '../../store/write/index.js';
import type { DrainServices } from './drain-services.js';
import { type BatchState, countAttempt, endBatch } from './end-batch.js';
import { processed } from './processed-batch.js';
import { type BatchEnd, disconnectedEnd, gaveUp, overLimit, unusable } from './push-outcome.js';
import { bodyOf, type WaitingBatch } from './waiting-batches.js';

/**
 * Number of attempts and waiting time after which a batch is suspected of crashing the process. The time limit protects
 * good batches from suspicion during a short outage, such as a crash loop or a flapping database.
 */
const MAX_ATTEMPTS = 10;
const GIVE_UP_AFTER_SECONDS = 1_800;
/** Maximum number of attempts to read a body. Reading depends only on the body, so it fails the same way again. */
const MAX_READ_ATTEMPTS = 3;

/** Reads a batch; undefined if it was rejected or abandoned. */
async function readingOf(
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

/** Reads batches, and stores and ends them in one transaction. @throws errors that are not a batch's fault */
export async function processGroup(
  services: DrainServices,
  userKey: number,
  group: readonly WaitingBatch[],
  signal: AbortSignal,
): Promise<void> {
  const { pool, runs, writer } = services;
  await startGroup(services, userKey, group);
  // Reads one body at a time, so that other users' batches wait for at most one body of this user.
  const readings: (PushReading | BodyFault | undefined)[] = [];
  for (const batch of group) {
    readings.push(await readingOf(services, batch));
    signal.throwIfAborted();
  }
  const readable = group.flatMap(({ isRefused, provider, device, receivedAtMs }, index) => {
    const reading = readings[index];
    if (isRefused || reading === undefined || !('batch' in reading)) return [];
    return [{ ...reading.batch, pushedBy: { provider, device, receivedAtMs } }];
  });
  // One transaction locks the user, stores the records, and ends the run and the batch, so each batch is stored exactly
  // once.
  const store = async (client: pg.PoolClient) => {
    const keepStored = await isOutdated(client, group);
    // Records no run for the changes if several batches share the transaction.
    const arrival = { origin: 'push', runId: group.length === 1 ? group[0]?.batchId : undefined } as const;
    const written = (await writer.writeAllIn(client, userKey, readable, { arrival, keepStored })).values();
    for (const [index, { batchId, isRefused }] of group.entries()) {
      const end = isRefused ? disconnectedEnd(batchId) : endOf(batchId, readings[index], written);
      await runs.finishIn(client, batchId, end.outcome, end.step);
      await endBatch(client, batchId, isRefused ? 'refused' : stateOf(end.outcome));
    }
    signal.throwIfAborted();
  };
  await inTransaction(pool, store, writer.threadFor(readable));
  runs.announce(userKey);
}

/** Ends a batch that takes too much time or memory to compare with the stored data. */
export async function endOverLimit(
  { pool, runs }: DrainServices,
  { batchId, userKey }: WaitingBatch,
  error: DecideLimitError,
): Promise<void> {
  const { outcome, step } = overLimit(batchId, error);
  await inTransaction(pool, async (client) => {
    await runs.finishIn(client, batchId, outcome, step);
    await endBatch(client, batchId, 'failed');
  });
  runs.announce(userKey);
}

/**
 * True if newer data was stored after a reprocessed batch was received. A reprocessed batch is always processed alone.
 */
async function isOutdated(client: pg.ClientBase, [batch]: readonly WaitingBatch[]): Promise<boolean> {
  if (!batch || batch.retriedSince === null) return false;
  const { userKey, provider, batchId, retriedSince } = batch;
  // Waits for a concurrent writer first. That writer's data also counts as newer, but becomes visible only when it
  // commits.
  await lockUser(client, userKey);
  return hasNewerData(client, { userKey, provider, runId: batchId, since: retriedSince });
}

function stateOf(outcome: RunOutcome): BatchState {
  if (outcome.stage !== 'completed') return 'failed';
  return outcome.status === 'partial' ? 'partial' : 'stored';
}

async function startGroup(
  { pool, runs }: DrainServices,
  userKey: number,
  group: readonly WaitingBatch[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    for (const { batchId, isQueuedReported } of group) {
      if (!isQueuedReported) await runs.reportQueuedIn(client, batchId);
      await runs.moveIn(client, batchId, 'started', {
        message: 'Reading the batch.',
        metadata: { batch_id: batchId },
      });
    }
    await countAttempt(
      client,
      group.map(({ batchId }) => batchId),
    );
  });
  runs.announce(userKey);
}

/** @param written results of the readable batches, in order */
function endOf(
  batchId: string,
  reading: PushReading | BodyFault | undefined,
  written: Iterator<WriteResult>,
): BatchEnd {
  if (reading === undefined) return gaveUp(batchId);
  if ('fault' in reading) return unusable(batchId, reading.fault);
  return processed(batchId, reading.report, written.next().value as WriteResult);
}
