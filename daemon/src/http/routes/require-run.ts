import type { SyncRun } from '@healthd/schemas';
import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import { findRun } from '../../runs/index.js';

/** Returns the run with this ID. @throws Failure `not_found` */
export async function requireRun(pool: pg.Pool, runId: string): Promise<SyncRun> {
  const run = await findRun(pool, runId);
  if (!run) throw new Failure('not_found', `Sync run with ID: ${runId} not found.`);
  return run;
}
