import {
  confirmImportRun,
  createUploadAddress,
  importAppleExport,
  importWorkoutFiles,
  type Parsed,
  type SchemasOf,
  uploadToAddress,
} from '@healthd/schemas';
import { confirmImport, fileAdapterOf, importPayload, isReceived, type UploadGrant } from '../../ingest/files/index.js';
import { drainAndClose } from '../../platform/drain-and-close.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind, type UserRef } from '../binding.js';
import {
  EXPORT_PROVIDER,
  FILES_PROVIDER,
  type ImportHow,
  type ImportRouteServices,
  importUpload,
} from './import-upload.js';
import { requireRun } from './require-run.js';

const BUCKET = 'imports';

/**
 * Routes for uploading export files. The HTTP server must not limit the total time of a request, because large files
 * take long.
 */
export function importRoutes(services: ImportRouteServices): Binding[] {
  const { settings, addresses } = services;
  const { accepts } = fileAdapterOf(EXPORT_PROVIDER);
  return [
    bind(importAppleExport, ({ user, query, ...context }) => importUpload(services, user, context, howOf(query))),
    bind(importWorkoutFiles, ({ user, query, ...context }) =>
      importUpload(services, user, context, { mode: 'merge', dryRun: query.dry_run, provider: FILES_PROVIDER }),
    ),
    bind(createUploadAddress, async ({ user, query, body }) => {
      const filename = body.filename.replaceAll(/[^A-Za-z0-9._-]/g, '');
      const maxBytes = Math.min(body.max_file_size, settings.maxUploadBytes);
      const { mode, dry_run: dryRun } = query;
      const grant = { userId: user.id, filename: filename || undefined, maxBytes, mode, dryRun };
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
      const { grant, user } = await granted(services, query.token).catch((error: unknown) => {
        drainAndClose(context.request, context.response);
        throw error;
      });
      note({ userId: user.id });
      return importUpload(services, user, context, { ...grant, provider: EXPORT_PROVIDER }, grant);
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
        message: file ? 'The file is queued for import.' : 'The file is already being imported.',
      };
    }),
  ];
}

/** Returns an upload URL's grant and user. @throws Failure `forbidden`, `not_found`, `conflict` */
async function granted(
  { addresses, findUser, pool }: ImportRouteServices,
  token: string,
): Promise<{ grant: UploadGrant; user: UserRef }> {
  const grant = await addresses.read(token);
  if (!grant) throw new Failure('forbidden', 'This URL is invalid or has expired. Request a new one.');
  const user = await findUser(grant.userId);
  if (!user) throw new Failure('not_found', `User with ID: ${grant.userId} not found.`);
  if (await isReceived(pool, grant.fileId))
    throw new Failure('conflict', 'This upload URL was already used. Request a new one.');
  return { grant, user };
}

function howOf({ mode, dry_run: dryRun }: Parsed<SchemasOf<typeof importAppleExport>, 'query'>): ImportHow {
  return { mode, dryRun, provider: EXPORT_PROVIDER };
}
