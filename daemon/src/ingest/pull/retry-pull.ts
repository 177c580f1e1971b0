import { MS_PER_DAY } from '@healthd/model';
import { Failure } from '../../platform/failures.js';
import { type DataTypeReports, type EndedRun, type RunRetrier, retryMetadata } from '../../runs/index.js';
import { type ConnectedServices, enqueuePull } from './enqueue-pull.js';
import { type PullRequest, queuePullIn } from './open-runs.js';
import { BACKFILL_DAYS } from './pull-range.js';
import { requirePullable } from './request-sync.js';

/** Requests again the data that a run could not read. The service stores no vendor responses that it could reuse. */
export function pullRetrier(services: ConnectedServices): RunRetrier {
  return async (run) => {
    if (!services.cloudOf(run.provider)?.pull) {
      throw conflict(
        'Cannot retry: this service does not request data from this vendor. To request the history of one data type, use backfill/{type_name}/retry.',
      );
    }
    const connection = await requirePullable(services, run.userKey, run.provider).catch((error: unknown) => {
      // Converts `not_found` to `conflict`: the run exists, so a missing connection must not look like a missing run
      // (404).
      throw error instanceof Failure && error.code === 'not_found' ? conflict(error.message) : error;
    });
    return async (client) => {
      const queued = await queuePullIn(services, client, connection, requestOf(run));
      if (!queued.isNew) {
        throw conflict(`Another sync of this connection is running (run ${queued.runId}). Retry after it has ended.`);
      }
      return { runId: queued.runId, enqueue: () => enqueuePull(services, connection.id) };
    };
  };
}

/** Returns the same data types and range, without the types that were read completely. */
function requestOf(run: EndedRun): PullRequest {
  const { source, createdAt, metadata } = run;
  const dataTypes = incompleteTypes(metadata.data_types as DataTypeReports | undefined);
  if (source === 'backfill' || (source === 'linked_account' && metadata.is_historical === true)) {
    const days = typeof metadata.days === 'number' ? metadata.days : BACKFILL_DAYS;
    const fromAt = new Date(createdAt.getTime() - days * MS_PER_DAY);
    return { kind: 'backfill', dataTypes, fromAt, metadata: { days, ...retryMetadata(run) } };
  }
  // Without an explicit start, the pull starts at the cursors and at reported changes that were not readable.
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

/** Returns undefined, which means all types, if the run ended before it was planned. */
function incompleteTypes(reports: DataTypeReports = {}): string[] | undefined {
  const types = Object.entries(reports).flatMap(([id, { status }]) =>
    status === 'success' || status === 'skipped' ? [] : [id],
  );
  return types.length === 0 ? undefined : types;
}

function conflict(message: string): Failure {
  return new Failure('conflict', message);
}
