import { confirmImportRun, createUploadAddress, importAppleExport, uploadToAddress } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { ImportAccepted, Parsed, SchemasOf } from '@healthd/schemas';
import type pg from 'pg';
import {
  acceptImport,
  confirmImport,
  fileAdapterOf,
  type ImportEnqueuer,
  type ImportFile,
  type ImportSettings,
  importPayload,
  isReceived,
  receiveUpload,
  type UploadAddresses,
  type UploadGrant,
} from '../../ingest/files/index.js';
import { drainAndClose } from '../../platform/drain-and-close.js';
import { Failure } from '../../platform/failures.js';
import type { Spool } from '../../platform/spool/index.js';
import type { SyncRuns } from '../../runs/index.js';
import { type Binding, bind, type RequestContext, type UserRef } from '../binding.js';
import { limitIdle } from '../idle-limit.js';
import { requireRun } from './require-run.js';

export interface ImportRouteServices {
  pool: pg.Pool;
  runs: SyncRuns;
  spool: Spool;
  imports: ImportEnqueuer;
  settings: ImportSettings;
  addresses: UploadAddresses;
  findUser(id: string): Promise<UserRef | undefined>;
}

const BUCKET = 'imports';
/** The vendor in the paths of these routes. */
const PROVIDER: ProviderId = 'apple';

/** The upload of export files. The HTTP server must set no total time for a request: large files take long. */
export function importRoutes(services: ImportRouteServices): Binding[] {
  const { settings, addresses } = services;
  const { accepts } = fileAdapterOf(PROVIDER);
  return [
    bind(importAppleExport, ({ user, query, ...context }) => importUpload(services, user, context, howOf(query))),
    bind(createUploadAddress, async ({ user, query, body }) => {
      const filename = body.filename.replaceAll(/[^A-Za-z0-9._-]/g, '');
      const maxBytes = Math.min(body.max_file_size, settings.maxUploadBytes);
      const grant = { userId: user.id, filename: filename || undefined, maxBytes, ...howOf(query) };
      const key = `${user.id}/raw/${filename || `${Date.now()}.${accepts.extensions[0]}`}`;
      return {
        upload_url: await addresses.issue(uploadToAddress.path, grant, body.expiration_seconds),
        form_fields: { 'Content-Type': accepts.contentType, key },
        file_key: key,
        expires_in: body.expiration_seconds,
        max_file_size: maxBytes,
        bucket: BUCKET,
      };
    }),
    bind(uploadToAddress, async ({ query, note, ...context }) => {
      const { grant, user } = await granted(services, query.token).catch((refusal: unknown) => {
        drainAndClose(context.request, context.response);
        throw refusal;
      });
      note({ userId: user.id });
      return importUpload(services, user, context, grant, grant);
    }),
    bind(confirmImportRun, async ({ params, note }) => {
      const { user_id: userId } = await requireRun(services.pool, params.run_id);
      note({ userId });
      const { runId, file } = await confirmImport(services, params.run_id);
      if (file) await services.imports.tryEnqueue(importPayload(file));
      return {
        run_id: runId,
        confirms: params.run_id,
        user_id: userId,
        status: 'in_progress' as const,
        message: file ? 'The file is imported.' : 'The file is being imported already.',
      };
    }),
  ];
}

/** @throws Failure `forbidden`, `not_found`, `conflict` */
async function granted(
  { addresses, findUser, pool }: ImportRouteServices,
  token: string,
): Promise<{ grant: UploadGrant; user: UserRef }> {
  const grant = await addresses.read(token);
  if (!grant) throw new Failure('forbidden', 'This address is not valid or has expired. Ask for another one.');
  const user = await findUser(grant.userId);
  if (!user) throw new Failure('not_found', `User with ID: ${grant.userId} not found.`);
  if (await isReceived(pool, grant.fileId))
    throw new Failure('conflict', 'This upload address was used already. Ask for another one.');
  return { grant, user };
}

type ImportHow = Pick<ImportFile, 'mode' | 'dryRun'>;

function howOf({ mode, dry_run: dryRun }: Parsed<SchemasOf<typeof importAppleExport>, 'query'>): ImportHow {
  return { mode, dryRun };
}

/** Receives the file of a request and takes its import on. A grant says what it is called and how large it may be. */
async function importUpload(
  services: ImportRouteServices,
  user: UserRef,
  { request, response, log }: Pick<RequestContext, 'request' | 'response' | 'log'>,
  { mode, dryRun }: ImportHow,
  grant?: UploadGrant,
): Promise<ImportAccepted> {
  const { settings, spool, imports } = services;
  const idle = limitIdle(request, settings.idleSeconds);
  // What follows the last byte (making a large file safe on the disk) is no silence of the client's.
  request.once('end', () => idle.release());
  const rules = {
    maxBytes: grant ? grant.maxBytes : settings.maxUploadBytes,
    accepts: fileAdapterOf(PROVIDER).accepts,
  };
  const received = await receiveUpload(request, response, spool, rules, idle.exceeded).finally(() => idle.release());
  const file = grant ? { ...received, id: grant.fileId, filename: grant.filename ?? received.filename } : received;
  const runId = await acceptImport(services, user, PROVIDER, file, { mode, dryRun });
  // No one waits for the job store: what it does not take now, the sweeper brings.
  imports
    .tryEnqueue(importPayload({ id: file.id, userKey: user.userKey }))
    .catch((error: unknown) =>
      log.error({ event: 'import_not_queued', err: error }, 'Failed to queue an import; the sweeper will queue it'),
    );
  return { status: 'processing', run_id: runId, task_id: file.id, user_id: user.id };
}
