import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { pushPayloadSchema } from './push/payload.js';
import { sdkLogSchema } from './sdk-log.js';

/** Answer to whatever a device sends: it was taken on. The counts are those of the run, which comes later. */
export const uploadResponseSchema = z
  .object({
    status_code: z.int(),
    response: z.string(),
    user_id: z.string().nullable(),
    batch_id: uuidSchema.nullable().meta({ description: 'Id of the run, see `/api/v1/sync/runs/{run_id}`' }),
    dropped_count: z.int(),
    records_saved: z.int(),
    workouts_saved: z.int(),
    sleep_saved: z.int(),
  })
  .meta({ id: 'UploadResponse' });
export type UploadResponse = z.infer<typeof uploadResponseSchema>;

export const pushDeviceData = defineRoute({
  id: 'pushDeviceData',
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/sync',
  tag: 'Device push',
  summary: 'Send what a health store on a phone holds',
  description:
    'Answered as soon as the batch is stored; only `provider` is checked before. Follow the run `batch_id` for the result: malformed items are rejected one by one there. May be packed with gzip. With an `Idempotency-Key` the same batch sent again is not processed again.',
  auth: 'sdk',
  scope: 'push',
  audit: { resource: 'health_data', action: 'import' },
  params: userParams,
  headers: z.object({
    'Idempotency-Key': z
      .string()
      .optional()
      .meta({ description: 'A batch sent again with the same key of the same user is not processed again' }),
  }),
  body: pushPayloadSchema,
  bodyType: 'raw',
  ignoresUnknown: true,
  status: 202,
  response: uploadResponseSchema,
  errors: [400, 403, 404, 408, 413, 415, 503, 507],
});

export const sendDeviceLogs = defineRoute({
  id: 'sendDeviceLogs',
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/logs',
  tag: 'Device push',
  summary: 'Tell how the synchronisation on a phone went',
  description: 'For finding faults: what is sent goes to the log of the service as counts and is not stored.',
  auth: 'sdk',
  scope: 'push',
  audit: { resource: 'device_log', action: 'create' },
  params: userParams,
  body: sdkLogSchema,
  ignoresUnknown: true,
  // A hundred events, each of which may count every data type there is
  maxBodyBytes: 256 * 1024,
  status: 202,
  response: uploadResponseSchema,
  errors: [403, 404],
});
