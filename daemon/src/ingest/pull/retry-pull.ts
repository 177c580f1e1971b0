import { MS_PER_DAY } from '@healthd/model';
import { Failure } from '../../platform/failures.js';
import { type DataTypeReports, type EndedRun, type RunRetrier, retryMetadata } from '../../runs/index.js';
import { type ConnectedServices, enqueuePull } from './enqueue-pull.js';
import { type PullRequest, queuePullIn } from './open-runs.js';
import { BACKFILL_DAYS } from './pull-range.js';
import { requirePullable } from './request-sync.js';

/** Asks the vendor again for what a run could not read. Its earlier answers are not stored, and need not be. */
export function pullRetrier(services: ConnectedServices): RunRetrier {
  return async (run) => {
    if (!services.cloudOf(run.provider)?.pull) {
      throw conflict(
        'Nothing can be read from this vendor again; the past of one kind of data is requested by backfill/{type_name}/retry.',
      );
    }
    const connection = await requirePullable(services, run.userKey, run.provider).catch((error: unknown) => {
      // The run is there; that its user is not connected any more is no reason to say that it is not.
      throw error instanceof Failure && error.code === 'not_found' ? conflict(error.message) : error;
    });
    return async (client) => {
      const queued = await queuePullIn(services, client, connection, requestOf(run));
      if (!queued.isNew) {
        throw conflict(`Another sync of this connection is under way (run ${queued.runId}). Retry when it has ended.`);
      }
      return { runId: queued.runId, enqueue: () => enqueuePull(services, connection.id) };
    };
  };
}

/** The same kinds of data and the same time again, less what was read completely. */
function requestOf(run: EndedRun): PullRequest {
  const { source, createdAt, metadata } = run;
  const dataTypes = incompleteTypes(metadata.data_types as DataTypeReports | undefined);
  if (source === 'backfill' || (source === 'linked_account' && metadata.is_historical === true)) {
    const days = typeof metadata.days === 'number' ? metadata.days : BACKFILL_DAYS;
    const fromAt = new Date(createdAt.getTime() - days * MS_PER_DAY);
    return { kind: 'backfill', dataTypes, fromAt, metadata: { days, ...retryMetadata(run) } };
  }
  // Without a time of its own the pull begins at the cursors, and at what the vendor reported and no one could read.
  const { since, data_type: part } = metadata;
  return {
    kind: 'manual',
    dataTypes,
    ...(typeof since === 'string' && { fromAt: new Date(since) }),
    metadata: {
      ...(part !== undefined && { data_type: part }),
      ...(since !== undefined && { since }),
      ...retryMetadata(run),
    },
  };
}

/** Undefined, which is all, when the run ended before it was known what there is. */
function incompleteTypes(reports: DataTypeReports = {}): string[] | undefined {
  const types = Object.entries(reports).flatMap(([id, { status }]) =>
    status === 'success' || status === 'skipped' ? [] : [id],
  );
  return types.length === 0 ? undefined : types;
}

function conflict(message: string): Failure {
  return new Failure('conflict', message);
}
