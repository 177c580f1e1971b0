import { IMPORT_MODES } from '@healthd/contract';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { boolParam, userParams } from '../parameters.js';
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

export const importsRouteSchemas = {
  importAppleExport: {
    params: userParams,
    query: importQuery,
    response: importAcceptedSchema,
  },
  createUploadAddress: {
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
  },
  uploadToAddress: {
    query: z.object({ token: z.string().max(2048).meta({ description: 'Part of the address' }) }),
    response: importAcceptedSchema,
  },
  confirmImportRun: {
    params: runParams,
    response: importConfirmedSchema,
  },
};
