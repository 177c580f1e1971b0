import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import { type RunRetrier, retryMetadata, type SyncRuns } from '../../runs/index.js';
import { type BodyState, bodyStateOf, reassignBatch } from './device-batches.js';
import { NO_COUNTS } from './push-outcome.js';
import type { PushEnqueuer } from './push-job.js';

export interface BatchRetryServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'queue'>;
  pushes: PushEnqueuer;
}

/** Processes an ended batch's stored body again. A run always has its batch's ID, so the retry gets a new batch ID. */
export function batchRetrier({ pool, runs, pushes }: BatchRetryServices): RunRetrier {
  return async (run) => {
    requireStoredBody(await bodyStateOf(pool, run.runId));
    return async (client) => {
      requireStoredBody(await bodyStateOf(client, run.runId));
      const { userKey, provider, source } = run;
      const batchId = randomUUID();
      await reassignBatch(client, run.runId, batchId);
      await runs.queue(client, {
        runId: batchId,
        userKey,
        provider,
        source,
        message: 'The batch waits to be processed again.',
        metadata: {
          batch_id: batchId,
          ...NO_COUNTS,
          byte_size: run.metadata.byte_size,
          sha256: run.metadata.sha256,
          ...retryMetadata(run),
        },
      });
      return { runId: batchId, enqueue: () => pushes.tryEnqueue({ user_key: userKey }) };
    };
  };
}

function requireStoredBody(keeping: BodyState): void {
  if (keeping === 'refused') {
    const text = 'The connection was ended. Give the device new credentials to connect it again, then retry.';
    throw new Failure('conflict', text);
  }
  if (keeping === 'gone') {
    throw new Failure('gone', 'The body of this batch was deleted. The device must send it again.');
  }
}
