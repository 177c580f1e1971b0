import { getArchival, runArchival, setArchival } from '@healthd/api';
import type pg from 'pg';
import { describeArchival, requestRun, writeSettings } from '../../archival/index.js';
import { type Binding, bind } from '../binding.js';

/** How long samples are kept. The work itself is a job; it is found by its sweeper. */
export function archivalRoutes({ pool }: { pool: pg.Pool }): Binding[] {
  return [
    bind(getArchival, () => describeArchival(pool)),
    bind(setArchival, async ({ body }) => {
      await writeSettings(pool, {
        archiveAfterDays: body.archive_after_days ?? null,
        deleteAfterDays: body.delete_after_days ?? null,
      });
      return describeArchival(pool);
    }),
    bind(runArchival, async () => ({ task_id: await requestRun(pool), status: 'dispatched' as const })),
  ];
}
