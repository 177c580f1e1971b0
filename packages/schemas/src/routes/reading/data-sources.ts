import { z } from 'zod';
import { uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { deviceTypeSchema } from '../../words.js';

export const dataSourceSchema = z
  .object({
    id: uuidSchema,
    user_id: uuidSchema,
    provider: z.string(),
    user_connection_id: uuidSchema.nullable(),
    vendor_account: z.string().nullable(),
    device_model: z.string().nullable(),
    software_version: z.string().nullable(),
    source: z.string().nullable(),
    device_type: deviceTypeSchema.nullable(),
    original_source_name: z.string().nullable(),
    display_name: z.string(),
  })
  .meta({ id: 'DataSource' });
export type DataSource = z.infer<typeof dataSourceSchema>;

export const listDataSources = defineRoute({
  id: 'listDataSources',
  method: 'GET',
  path: '/api/v1/users/{user_id}/data-sources',
  tag: 'Data sources',
  summary: 'List a user’s devices and applications',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'data_source', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  response: z.object({ items: z.array(dataSourceSchema), total: z.int() }),
});
