import type { BodyFault, PushReader, PushReading } from '@healthd/providers';
import { PushReaderError } from '@healthd/providers';
import type pg from 'pg';
import { inTransaction, UserMissingError } from '../../platform/database/index.js';
import { hasNewerData, type RunOutcome, type SyncRuns } from '../../runs/index.js';
import type { WriteResult } from '../../store/facts/index.js';
import type { RecordWriter } from '../../store/write/index.js';
import {
  type BatchState,
  bodyOf,
  countAttempt,
  endBatch,
  type WaitingBatch,
  waitingBatches,
} from './device-batches.js';
import { type BatchEnd, gaveUp, processed, refused, unusable } from './push-outcome.js';

export interface DrainServices {
  pool: pg.Pool;
  runs: SyncRuns;
  writer: Pick<RecordWriter, 'writeAllIn'>;
  reader: Pick<PushReader, 'read'>;
  /** Bytes of a body after unpacking. */
  maxBytes: number;
}

/** Batches that are written in one transaction: many small ones cost one commit instead of one each. */
const GROUP_BATCHES = 16;
const GROUP_BYTES = 4 * 1024 * 1024;
/** About how many plain bytes a packed one stands for. */
const PACKED = 16;
/**
 * A batch that was begun so often, over so long a time, may be what ends the process. The time keeps a stormy quarter of
 * an hour (a process that is restarted again and again, a database that comes and goes) from costing good batches.
 */
const MAX_ATTEMPTS = 10;
const GIVE_UP_AFTER_SECONDS = 1_800;
/** Reading depends on nothing but the body, so it fails the same way again. */
const MAX_READ_ATTEMPTS = 3;

/**
 * Processes what a user's devices have sent, oldest first, until nothing waits.
 * @returns how many batches were ended
 * @throws what is no fault of a batch; everything that was not ended is processed again
 */
export async function drainInbox(
  services: DrainServices,
  userKey: number,
  signal: AbortSignal,
  until = Number.POSITIVE_INFINITY,
): Promise<{ ended: number; more: boolean }> {
  let ended = 0;
  for (;;) {
    signal.throwIfAborted();
    const group = groupOf(await waitingBatches(services.pool, userKey, GROUP_BATCHES));
    if (group.length === 0) return { ended, more: false };
    if (performance.now() > until) return { ended, more: true };
    try {
      await processGroup(services, userKey, group, signal);
    } catch (error) {
      // The user's batches went with the user.
      if (error instanceof UserMissingError) return { ended, more: false };
      throw error;
    }
    ended += group.length;
  }
}

/** The oldest batches that are small enough to be written together; one that was begun or ended before stays alone. */
function groupOf(waiting: readonly WaitingBatch[]): WaitingBatch[] {
  const group: WaitingBatch[] = [];
  let bytes = 0;
  for (const batch of waiting) {
    bytes += batch.encoding === 'gzip' ? batch.byteSize * PACKED : batch.byteSize;
    const isAlone = batch.attempts > 0 || batch.retriedSince !== null;
    if (group.length > 0 && (bytes > GROUP_BYTES || isAlone)) break;
    group.push(batch);
    if (isAlone) break;
  }
  return group;
}

async function processGroup(
  services: DrainServices,
  userKey: number,
  group: readonly WaitingBatch[],
  signal: AbortSignal,
): Promise<void> {
  const { pool, runs, writer } = services;
  await startGroup(services, userKey, group);
  const readings = await Promise.all(group.map((batch) => readingOf(services, batch)));
  signal.throwIfAborted();
  // The lock on the user, the records, the end of the run and of the batch: all or nothing, so exactly once.
  await inTransaction(pool, async (client) => {
    const readable = group.flatMap(({ isRefused }, index) => {
      const reading = readings[index];
      return !isRefused && reading !== undefined && 'batch' in reading ? [reading.batch] : [];
    });
    const keepStored = await isOutdated(client, group);
    const written = (await writer.writeAllIn(client, userKey, readable, { keepStored })).values();
    for (const [index, { batchId, isRefused }] of group.entries()) {
      const end = isRefused ? refused(batchId) : endOf(batchId, readings[index], written);
      await runs.finishIn(client, batchId, end.outcome, end.step);
      await endBatch(client, batchId, isRefused ? 'refused' : stateOf(end.outcome));
    }
    signal.throwIfAborted();
  });
  runs.announce(userKey);
}

/** Whether newer data were stored since a batch that is processed again was received; such a batch is a group alone. */
async function isOutdated(client: pg.ClientBase, [batch]: readonly WaitingBatch[]): Promise<boolean> {
  if (!batch || batch.retriedSince === null) return false;
  const { userKey, provider, batchId, retriedSince } = batch;
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
    for (const { batchId, queuedTold } of group) {
      if (!queuedTold) await runs.reportQueuedIn(client, batchId);
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

/** What a batch holds; undefined for one that is refused or given up. */
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

/** @param written results of the batches that could be read, in their order */
function endOf(
  batchId: string,
  reading: PushReading | BodyFault | undefined,
  written: Iterator<WriteResult>,
): BatchEnd {
  if (reading === undefined) return gaveUp(batchId);
  if ('fault' in reading) return unusable(batchId, reading.fault);
  return processed(batchId, reading.report, written.next().value as WriteResult);
}
