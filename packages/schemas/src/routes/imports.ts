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
      '`merge` adds to what is stored. `replace` also removes what earlier files brought and this one lacks: of each series and source in the file, from its first item to its export date. What a device pushed under an id stays, and so do archived days. A file that ends early, or has no export date, removes nothing.',
  }),
  dry_run: boolParam(false).meta({
    description:
      'Stores nothing: `metadata.report.changes` of the run says what would be `new`, `changed` and `gone`, by series and month. The file is stored for an hour after the end; `POST /api/v1/sync/runs/{run_id}/confirm` imports it.',
  }),
});

/** Answer to an uploaded export: it is stored for good and will be read. */
export const importAcceptedSchema = z
  .object({
    status: z.literal('processing'),
    run_id: z.string().meta({ description: 'Id of the run, see `/api/v1/sync/runs/{run_id}`' }),
    task_id: uuidSchema.meta({ description: 'Id of the received file' }),
    user_id: uuidSchema,
  })
  .meta({ id: 'ImportAccepted' });
export type ImportAccepted = z.infer<typeof importAcceptedSchema>;

const MEBIBYTE = 1024 * 1024;

/** Answer to clients that ask for an address first, in the form of a browser upload to an object store. */
export const uploadAddressSchema = z
  .object({
    upload_url: z.string().meta({ description: 'Where to send the file, once; it needs no other credential' }),
    form_fields: z
      .record(z.string(), z.string())
      .meta({ description: 'Fields of the form, to be sent before the part `file`' }),
    file_key: z.string().meta({ description: 'What the file is called, below its user' }),
    expires_in: z.int().meta({ description: 'Seconds until the address no longer works' }),
    max_file_size: z.int().meta({ description: 'Bytes that the file may have' }),
    bucket: z.string().meta({ description: 'Always `imports`: the file goes to this service itself' }),
  })
  .meta({ id: 'UploadAddress' });
export type UploadAddress = z.infer<typeof uploadAddressSchema>;

/** Answer to a dry run that was confirmed. */
export const importConfirmedSchema = z
  .object({
    run_id: z.string().meta({ description: 'Id of the run that imports the file' }),
    confirms: z.string().meta({ description: 'Id of the dry run' }),
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
    'Takes `export.xml`, the same gzipped, or the `.zip` as the phone writes it. The answer comes as soon as the file is stored; follow the run for the result.',
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

export const createUploadAddress = defineRoute({
  id: 'createUploadAddress',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/apple/xml/s3',
  aliases: [{ path: '/api/v1/users/{user_id}/import/vendorx/xml/s3' }],
  tag: 'Imports',
  summary: 'Obtain an address to which a health export file can be sent',
  description:
    'For clients that ask for an address first, as with an object store: `upload_url` is a signed address of this service, for this user and one file. Send a multipart form to it: `form_fields`, then the file in the part `file`. The import then runs as any other.',
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
        description: 'For people; all but letters, digits, `.`, `-` and `_` is left out',
      }),
      expiration_seconds: z
        .int()
        .min(60)
        .max(SECONDS_PER_HOUR)
        .default(300)
        .meta({ description: 'Seconds for which the address works' }),
      max_file_size: z
        .int()
        .min(1024)
        .max(1024 * MEBIBYTE)
        .default(50 * MEBIBYTE)
        .meta({ description: 'Bytes; never more than IMPORT_MAX_BYTES' }),
    })
    .prefault({}),
  response: uploadAddressSchema,
});

export const uploadToAddress = defineRoute({
  id: 'uploadToAddress',
  method: 'POST',
  path: '/api/v1/import/apple/xml/upload',
  tag: 'Imports',
  summary: 'Send a health export file to a signed address',
  description:
    'The address is the `upload_url` that was asked for. 403: it is not one of this service or has expired; 409: a file was sent to it already. After a failure it can be used again until it expires.',
  auth: 'public',
  audit: { resource: 'health_data', action: 'import' },
  uploadPart: 'file',
  status: 200,
  errors: [403, 404, 408, 409, 413, 415, 507],
  query: z.object({ token: z.string().max(2048).meta({ description: 'Part of the address' }) }),
  response: importAcceptedSchema,
});

export const confirmImportRun = defineRoute({
  id: 'confirmImportRun',
  method: 'POST',
  path: '/api/v1/sync/runs/{run_id}/confirm',
  tag: 'Imports',
  summary: 'Import the file of a dry run',
  description:
    'Does what a dry run reported, with the stored file, in the mode that it was uploaded with and as a run of its own whose `metadata.confirms` names the dry run. A second call while the new run is open answers with it. 409: the run is no dry run, has not ended, did not succeed or was confirmed already, or another file was imported since; 410: the file is no longer stored.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 202,
  errors: [404, 409, 410],
  params: runParams,
  response: importConfirmedSchema,
});
