import { getSyncRun, listRecentSyncEvents, listSyncRuns, listUserSyncRuns } from '@healthd/api';
import type pg from 'pg';
import { recentSyncEvents } from '../../events/index.js';
import { Failure } from '../../failures.js';
import { findRun, listRuns } from '../../sync/index.js';
import { type Binding, bind } from '../binding.js';

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
