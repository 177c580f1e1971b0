import {
  getSyncRun,
  listRecentSyncEvents,
  listSyncRuns,
  listUserSyncRuns,
  retrySyncRun,
  streamSyncEvents,
} from '@healthd/contract';
import type pg from 'pg';
import {
  lastEventId,
  listRuns,
  type RetryServices,
  recentSyncEvents,
  retryRun,
  type SyncStreams,
} from '../../runs/index.js';
import { type Binding, bind, StreamingResponse } from '../binding.js';
import { requireRun } from './require-run.js';

/** Routes that say how runs stand. */
export function syncRoutes({ pool }: { pool: pg.Pool }): Binding[] {
  return [
    bind(listUserSyncRuns, ({ user, query }) => listRuns(pool, { ...query, userKey: user.userKey })),
    bind(listRecentSyncEvents, ({ user, query }) => recentSyncEvents(pool, user.userKey, query.limit)),
    bind(listSyncRuns, ({ query: { user_id: userId, ...filter } }) => listRuns(pool, { ...filter, userId })),
    bind(getSyncRun, async ({ params, note }) => {
      const run = await requireRun(pool, params.run_id);
      note({ userId: run.user_id });
      return run;
    }),
  ];
}

/** Repeating runs. */
export function runRetryRoutes(services: RetryServices): Binding[] {
  return [
    bind(retrySyncRun, async ({ params, note }) => {
      const { user_id: userId } = await requireRun(services.pool, params.run_id);
      // Also of a refusal the audit trail says whose run it was.
      note({ userId });
      const { runId, isNew } = await retryRun(services, params.run_id);
      return {
        run_id: runId,
        retry_of: params.run_id,
        user_id: userId,
        status: 'in_progress' as const,
        message: isNew ? 'The run is repeated.' : 'The run is being repeated already.',
      };
    }),
  ];
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** The same as it happens. */
export function syncStreamRoutes({ streams }: { streams: SyncStreams }): Binding[] {
  return [
    bind(streamSyncEvents, async ({ user, query: { replay }, request, signal }) => {
      const afterSeq = lastEventId(request.headers['last-event-id']);
      return new StreamingResponse(streams.stream({ userKey: user.userKey, afterSeq, replay, signal }), STREAM_HEADERS);
    }),
  ];
}
