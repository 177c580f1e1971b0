import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { acceptsSchema, phoneStateSchema } from './phone-state.js';
import { pushPayloadSchema } from './push/payload.js';
import { sdkLogSchema } from './sdk-log.js';

/** Answer to what a device sends: it was taken on. The counts are those of the run, which comes later. */
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
    accepts: acceptsSchema,
  })
  .meta({ id: 'UploadResponse' });
export type UploadResponse = z.infer<typeof uploadResponseSchema>;

const deviceIdHeader = z.string().max(200).optional().meta({
  description:
    'Name that the phone gives itself and keeps when the app is installed again. Phones of a user that give none are one phone',
});

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
  bodyType: 'raw',
  ignoresUnknown: true,
  status: 202,
  errors: [400, 403, 404, 413, 415, 503, 507],
  params: userParams,
  headers: z.object({
    'Idempotency-Key': z
      .string()
      .optional()
      .meta({ description: 'A batch sent again with the same key of the same user is not processed again' }),
    'X-Device-ID': deviceIdHeader,
  }),
  body: pushPayloadSchema,
  response: uploadResponseSchema,
});

export const getPhoneState = defineRoute({
  id: 'getPhoneState',
  method: 'GET',
  path: '/api/v1/sdk/users/{user_id}/state',
  tag: 'Device push',
  summary: 'Get what the service has of this phone',
  description:
    'For a phone that was set up again, or whose data does not arrive: what it pushed, what became of its last batches, and what a push may hold. It contains no health value and nothing of other phones, clouds or files.',
  auth: 'device',
  audit: { resource: 'phone_state', action: 'read' },
  ignoresUnknown: true,
  status: 200,
  params: userParams,
  headers: z.object({ 'X-Device-ID': deviceIdHeader }),
  response: phoneStateSchema,
});

export const sendDeviceLogs = defineRoute({
  id: 'sendDeviceLogs',
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/logs',
  tag: 'Device push',
  summary: 'Report how the synchronisation on a phone went',
  description: 'For finding faults: what is sent goes to the log of the service as counts and is not stored.',
  auth: 'sdk',
  scope: 'push',
  audit: { resource: 'device_log', action: 'create' },
  ignoresUnknown: true,
  // A hundred events, each of which may count every data type there is
  maxBodyBytes: 256 * 1024,
  status: 202,
  errors: [403, 404],
  params: userParams,
  body: sdkLogSchema,
  response: uploadResponseSchema,
});
