import type { ProviderId } from '@healthd/model';
import type { ImportAccepted } from '@healthd/schemas';
import type pg from 'pg';
import {
  acceptImport,
  fileAdapterOf,
  type ImportEnqueuer,
  type ImportFile,
  type ImportSettings,
  importPayload,
  receiveUpload,
  type UploadAddresses,
  type UploadGrant,
} from '../../ingest/files/index.js';
import type { Spool } from '../../platform/spool/index.js';
import type { SyncRuns } from '../../runs/index.js';
import type { RequestContext, UserRef } from '../binding.js';
import { limitIdle } from '../idle-limit.js';

/** Services of the import routes. */
export interface ImportRouteServices {
  pool: pg.Pool;
  runs: SyncRuns;
  spool: Spool;
  imports: ImportEnqueuer;
  settings: ImportSettings;
  addresses: UploadAddresses;
  findUser(id: string): Promise<UserRef | undefined>;
}

/** Providers of the import routes. */
export const EXPORT_PROVIDER: ProviderId = 'apple';
export const FILES_PROVIDER: ProviderId = 'workout_files';

/** Import options of the caller, and the provider whose files the route accepts. */
export type ImportHow = Pick<ImportFile, 'mode' | 'dryRun' | 'provider'>;

/** Receives a request's file and accepts its import. A grant defines the file's name and maximum size. */
export async function importUpload(
  services: ImportRouteServices,
  user: UserRef,
  { request, response, log }: Pick<RequestContext, 'request' | 'response' | 'log'>,
  { mode, dryRun, provider }: ImportHow,
  grant?: UploadGrant,
): Promise<ImportAccepted> {
  const { settings, spool, imports } = services;
  const idle = limitIdle(request, settings.idleSeconds);
  // Ends the idle limit at the last byte: later work, such as syncing a large file to disk, is not the client's
  // silence.
  request.once('end', () => idle.release());
  const rules = {
    maxBytes: grant ? grant.maxBytes : settings.maxUploadBytes,
    accepts: fileAdapterOf(provider).accepts,
  };
  const received = await receiveUpload(request, response, spool, rules, idle.exceeded).finally(() => idle.release());
  const file = grant ? { ...received, id: grant.fileId, filename: grant.filename ?? received.filename } : received;
  const runId = await acceptImport(services, user, provider, file, { mode, dryRun });
  // Does not wait for the job store. If enqueuing fails, the sweeper enqueues the job later.
  imports
    .tryEnqueue(importPayload({ id: file.id, userKey: user.userKey }))
    .catch((error: unknown) =>
      log.error({ event: 'import_not_queued', err: error }, 'Failed to queue an import; the sweeper will queue it'),
    );
  return { status: 'processing', run_id: runId, task_id: file.id, user_id: user.id };
}
