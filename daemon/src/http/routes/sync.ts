import {
  getSyncHistory,
  getSyncRun,
  listRecentSyncEvents,
  listSyncRuns,
  listUserSyncRuns,
  retrySyncRun,
  streamAllSyncEvents,
  streamSyncEvents,
} from '@healthd/schemas';
import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import {
  historyOf,
  lastEventId,
  listRuns,
  type RetryServices,
  recentSyncEvents,
  retryRun,
  type SyncStreams,
} from '../../runs/index.js';
import { actorOf } from '../audit-row.js';
import { type Binding, bind, type Caller, StreamingResponse } from '../binding.js';
import { requireRun } from './require-run.js';

const RETRY_AFTER_SECONDS = '60';

/** Counts the open streams of each caller in this process. */
class StreamPlaces {
  private readonly open = new Map<string, number>();

  constructor(private readonly perCaller: number) {}

  /**
   * Counts a stream of the caller until the client disconnects.
   * @throws Failure `too_many_requests`
   */
  take(caller: Caller, left: AbortSignal): void {
    if (left.aborted) return;
    const name = actorOf(caller).join(' ');
    const open = this.open.get(name) ?? 0;
    if (open >= this.perCaller) {
      throw new Failure(
        'too_many_requests',
        `${this.perCaller} streams are already open with these credentials. End one of them, or follow all users on one stream.`,
        { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
      );
    }
    this.open.set(name, open + 1);
    left.addEventListener('abort', () => this.leave(name), { once: true });
  }

  private leave(name: string): void {
    const open = (this.open.get(name) ?? 0) - 1;
    if (open > 0) this.open.set(name, open);
    else this.open.delete(name);
  }
}

/** Routes for the status of runs. */
export function syncRoutes({ pool }: { pool: pg.Pool }): Binding[] {
  return [
    bind(listUserSyncRuns, ({ user, query }) => listRuns(pool, { ...query, userKey: user.userKey })),
    bind(listRecentSyncEvents, ({ user, query }) => recentSyncEvents(pool, user.userKey, query)),
    bind(listSyncRuns, ({ query: { user_id: userId, from, to, ...filter } }) =>
      listRuns(pool, { ...filter, userId, fromMs: from?.ms, toMs: to?.ms }),
    ),
    bind(getSyncRun, async ({ params, note }) => {
      const run = await requireRun(pool, params.run_id);
      note({ userId: run.user_id });
      return run;
    }),
    bind(getSyncHistory, async ({ params, note }) => {
      const run = await requireRun(pool, params.run_key);
      note({ userId: run.user_id });
      return historyOf(run);
    }),
  ];
}

/** Routes for retrying runs. */
export function runRetryRoutes(services: RetryServices): Binding[] {
  return [
    bind(retrySyncRun, async ({ params, note }) => {
      const { user_id: userId } = await requireRun(services.pool, params.run_id);
      // Adds the run's user to the audit record, even if the retry is rejected.
      note({ userId });
      const { runId, isNew } = await retryRun(services, params.run_id);
      return {
        run_id: runId,
        retry_of: params.run_id,
        user_id: userId,
        status: 'in_progress' as const,
        message: isNew ? 'The run is retried.' : 'The run is already being retried.',
      };
    }),
  ];
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Maximum number of open streams per caller and process. */
const STREAMS_PER_CALLER = 200;

/** Routes for streams of run status. @param perCaller maximum number of open streams per caller */
export function syncStreamRoutes({
  streams,
  perCaller = STREAMS_PER_CALLER,
}: {
  streams: SyncStreams;
  perCaller?: number | undefined;
}): Binding[] {
  const places = new StreamPlaces(perCaller);
  return [
    bind(streamSyncEvents, async ({ user, query, caller, request, signal, isStillAllowed }) => {
      places.take(caller, signal);
      const afterSeq = lastEventId(request.headers['last-event-id']);
      const start = { ...query, userKey: user.userKey, afterSeq, signal, isStillAllowed };
      return new StreamingResponse(streams.stream(start), STREAM_HEADERS);
    }),
    bind(streamAllSyncEvents, async ({ query, caller, request, signal, isStillAllowed }) => {
      places.take(caller, signal);
      const afterSeq = lastEventId(request.headers['last-event-id']);
      const frames = await streams.streamAll({ ...query, afterSeq, signal, isStillAllowed });
      return new StreamingResponse(frames, STREAM_HEADERS);
    }),
  ];
}
