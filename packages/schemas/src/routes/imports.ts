import { IMPORT_MODES } from '@healthd/contract';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { boolParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { runParams } from './sync.js';

const importQuery = z.object({
  mode: z.enum(IMPORT_MODES).default('merge').meta({
    description:
      '`merge` adds to the stored data. `replace` also removes older items of earlier files that this file lacks: for each series and source in the file, from its first item to its export date. Archived days and items that a device pushed with an ID are kept. A truncated file, or a file without an export date, removes nothing.',
  }),
  dry_run: boolParam(false).meta({
    description:
      'Stores nothing. The run’s `metadata.report.changes` counts `new`, `changed` and `gone` items by series and month. The file is kept for an hour after the dry run; `POST /api/v1/sync/runs/{run_id}/confirm` imports it.',
  }),
});

/** Response to an upload: the file is stored and the import is queued. */
export const importAcceptedSchema = z
  .object({
    status: z.literal('processing'),
    run_id: z.string().meta({ description: 'Run ID, see `/api/v1/sync/runs/{run_id}`' }),
    task_id: uuidSchema.meta({ description: 'ID of the uploaded file' }),
    user_id: uuidSchema,
  })
  .meta({ id: 'ImportAccepted' });
export type ImportAccepted = z.infer<typeof importAcceptedSchema>;

const MEBIBYTE = 1024 * 1024;

/** Upload URL in the format of an object store’s browser upload. */
export const uploadAddressSchema = z
  .object({
    upload_url: z.string().meta({ description: 'URL for one upload; needs no other credential' }),
    form_fields: z.record(z.string(), z.string()).meta({ description: 'Form fields to send before the part `file`' }),
    file_key: z.string().meta({ description: 'Path of the file, below its user' }),
    expires_in: z.int().meta({ description: 'Seconds until the URL expires' }),
    max_file_size: z.int().meta({ description: 'Maximum file size in bytes' }),
    bucket: z.string().meta({ description: 'Always `imports`: this service stores the file itself' }),
  })
  .meta({ id: 'UploadAddress' });
export type UploadAddress = z.infer<typeof uploadAddressSchema>;

/** Response to a confirmed dry run. */
export const importConfirmedSchema = z
  .object({
    run_id: z.string().meta({ description: 'ID of the run that imports the file' }),
    confirms: z.string().meta({ description: 'ID of the dry run' }),
    user_id: uuidSchema,
    status: z.literal('in_progress'),
    message: z.string(),
  })
  .meta({ id: 'ImportConfirmed' });
export type ImportConfirmed = z.infer<typeof importConfirmedSchema>;

export const importAppleExport = defineRoute({
  id: 'importAppleExport',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/apple/xml/direct',
  aliases: [{ path: '/api/v1/users/{user_id}/import/vendorx/xml/direct' }],
  tag: 'Imports',
  summary: 'Import a health export file',
  description:
    'Accepts `export.xml`, plain or gzipped, or the phone’s `.zip`. The response arrives as soon as the file is stored. Follow the run for the result.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  uploadPart: 'file',
  status: 200,
  errors: [404, 408, 413, 415, 507],
  params: userParams,
  query: importQuery,
  response: importAcceptedSchema,
});

export const importWorkoutFiles = defineRoute({
  id: 'importWorkoutFiles',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/workouts',
  tag: 'Imports',
  summary: 'Import workout files',
  description:
    'Accepts a FIT, GPX or TCX file, plain or gzipped, or a `.zip` of these files. Each file may have 20 MB after decompression. The response arrives as soon as the file is stored. Follow the run for the result: unreadable files are listed in `metadata.report.files`, and all other files are stored. A repeated import stores nothing twice.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  uploadPart: 'file',
  status: 200,
  errors: [404, 408, 413, 415, 507],
  params: userParams,
  query: importQuery.pick({ dry_run: true }),
  response: importAcceptedSchema,
});

export const createUploadAddress = defineRoute({
  id: 'createUploadAddress',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/apple/xml/s3',
  aliases: [{ path: '/api/v1/users/{user_id}/import/vendorx/xml/s3' }],
  tag: 'Imports',
  summary: 'Create an upload URL for a health export',
  description:
    'For clients that upload to a signed URL, as with an object store. `upload_url` accepts one file for this user. Send a multipart form with `form_fields`, followed by the file in the part `file`. The import then runs like any other.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'upload_address', action: 'create' },
  status: 200,
  errors: [404],
  params: userParams,
  query: importQuery,
  body: z
    .object({
      filename: textField(200).default('').meta({
        description: 'Display name; characters other than letters, digits, `.`, `-` and `_` are removed',
      }),
      expiration_seconds: z
        .int()
        .min(60)
        .max(SECONDS_PER_HOUR)
        .default(300)
        .meta({ description: 'Lifetime of the URL in seconds' }),
      max_file_size: z
        .int()
        .min(1024)
        .max(1024 * MEBIBYTE)
        .default(50 * MEBIBYTE)
        .meta({ description: 'Maximum file size in bytes; at most IMPORT_MAX_BYTES' }),
    })
    .prefault({}),
  response: uploadAddressSchema,
});

export const uploadToAddress = defineRoute({
  id: 'uploadToAddress',
  method: 'POST',
  path: '/api/v1/import/apple/xml/upload',
  tag: 'Imports',
  summary: 'Upload a health export to a signed URL',
  description:
    'Send the file to the `upload_url`. Returns 403 if the URL is invalid or has expired, and 409 if it already received a file. After a failed upload the URL works until it expires.',
  auth: 'public',
  audit: { resource: 'health_data', action: 'import' },
  uploadPart: 'file',
  status: 200,
  errors: [403, 404, 408, 409, 413, 415, 507],
  query: z.object({ token: z.string().max(2048).meta({ description: 'Upload token from `upload_url`' }) }),
  response: importAcceptedSchema,
});

export const confirmImportRun = defineRoute({
  id: 'confirmImportRun',
  method: 'POST',
  path: '/api/v1/sync/runs/{run_id}/confirm',
  tag: 'Imports',
  summary: 'Import the file of a dry run',
  description:
    'Imports the dry run’s stored file in the same mode. The new run’s `metadata.confirms` contains the dry run’s ID. A repeated call returns the new run while it is open. Returns 409 if the run is not a successful dry run, is still open or was already confirmed, or if another file was imported since; 410 if the file is no longer stored.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 202,
  errors: [404, 409, 410],
  params: runParams,
  response: importConfirmedSchema,
});
