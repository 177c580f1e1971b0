import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';

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

export const importAppleExport = defineRoute({
  id: 'importAppleExport',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/apple/xml/direct',
  aliases: ['/api/v1/users/{user_id}/import/vendorx/xml/direct'],
  tag: 'Imports',
  summary: 'Import a health export file',
  description:
    'Takes `export.xml`, the same gzipped, or the `.zip` as the phone writes it. The answer comes as soon as the file is stored; follow the run for the result.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  params: userParams,
  uploadPart: 'file',
  status: 200,
  response: importAcceptedSchema,
  errors: [404, 408, 413, 415, 507],
});
