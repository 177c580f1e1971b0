import { getSyncRun, listRecentSyncEvents, listSyncRuns, listUserSyncRuns, streamSyncEvents } from '@healthd/api';
import type pg from 'pg';
import { lastEventId, recentSyncEvents, type SyncStreams } from '../../events/index.js';
import { Failure } from '../../failures.js';
import { findRun, listRuns } from '../../sync/index.js';
import { type Binding, bind, StreamedAnswer } from '../binding.js';

/** Routes that tell how runs stand. */
export function syncRoutes({ pool }: { pool: pg.Pool }): Binding[] {
  return [
    bind(listUserSyncRuns, ({ user, query }) => listRuns(pool, { userKey: user.userKey, limit: query.limit })),
    bind(listRecentSyncEvents, ({ user, query }) => recentSyncEvents(pool, user.userKey, query.limit)),
    bind(listSyncRuns, ({ query: { user_id: userId, ...filter } }) => listRuns(pool, { ...filter, userId })),
    bind(getSyncRun, async ({ params, note }) => {
      const run = await findRun(pool, params.run_id);
      if (!run) throw new Failure('not_found', `Sync run with ID: ${params.run_id} not found.`);
      note({ userId: run.user_id });
      return run;
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
      return new StreamedAnswer(streams.stream({ userKey: user.userKey, afterSeq, replay, signal }), STREAM_HEADERS);
    }),
  ];
}
