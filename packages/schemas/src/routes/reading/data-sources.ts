import { z } from 'zod';
import { uuidSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
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

export const dataSourcesRouteSchemas = {
  listDataSources: {
    params: userParams,
    response: z.object({ items: z.array(dataSourceSchema), total: z.int() }),
  },
};
