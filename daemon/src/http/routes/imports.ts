import { importAppleExport } from '@healthd/api';
import type pg from 'pg';
import { acceptImport, type ImportSettings, importJobOf, receiveUpload, type Spool } from '../../intake/index.js';
import type { JobQueue } from '../../jobs/index.js';
import type { SyncRuns } from '../../sync/index.js';
import { type Binding, bind } from '../binding.js';
import { limitIdle } from '../idle-limit.js';

export interface ImportRouteServices {
  pool: pg.Pool;
  runs: SyncRuns;
  spool: Spool;
  queue: Pick<JobQueue, 'enqueueSoon'>;
  settings: ImportSettings;
}

/** The upload of export files. The HTTP server must set no total time for a request: large files take long. */
export function importRoutes(services: ImportRouteServices): Binding[] {
  return [
    bind(importAppleExport, async ({ user, request, response, log }) => {
      const idle = limitIdle(request, services.settings.idleSeconds);
      // What follows the last byte (making a large file safe on the disk) is no silence of the client's.
      request.once('end', () => idle.release());
      const file = await receiveUpload(request, response, services.spool, services.settings, idle.exceeded).finally(
        () => idle.release(),
      );
      const runId = await acceptImport(services, user, 'apple', file);
      // Nobody waits for the job store: what it does not take now, the sweeper brings.
      const { name, payload, uniqueKey } = importJobOf({ id: file.id, userKey: user.userKey });
      services.queue
        .enqueueSoon(name, payload, { uniqueKey })
        .catch((error: unknown) => log.error({ err: error }, 'an import could not be queued'));
      return { status: 'processing' as const, run_id: runId, task_id: file.id, user_id: user.id };
    }),
  ];
}
