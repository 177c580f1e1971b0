import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { acceptsSchema, phoneStateSchema } from './phone-state.js';
import { pushPayloadSchema } from './push/payload.js';
import { sdkLogSchema } from './sdk-log.js';

/** Response to a device push: the batch is accepted. The run contains the counts later. */
export const uploadResponseSchema = z
  .object({
    status_code: z.int(),
    response: z.string(),
    user_id: z.string().nullable(),
    batch_id: uuidSchema.nullable().meta({ description: 'Run ID, see `/api/v1/sync/runs/{run_id}`' }),
    dropped_count: z.int(),
    records_saved: z.int(),
    workouts_saved: z.int(),
    sleep_saved: z.int(),
    accepts: acceptsSchema,
  })
  .meta({ id: 'UploadResponse' });
export type UploadResponse = z.infer<typeof uploadResponseSchema>;

const deviceIdHeader = z.string().max(200).optional().meta({
  description: 'Device ID that the phone keeps across reinstalls. A user’s phones without an ID count as one phone',
});

export const pushDeviceData = defineRoute({
  id: 'pushDeviceData',
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/sync',
  tag: 'Device push',
  summary: 'Push the data of a phone’s health store',
  description:
    'Returns as soon as the batch is stored; the request checks only `provider`. Follow the run `batch_id` for the result: the run rejects invalid items one by one. The body may be gzipped. A batch with the same `Idempotency-Key` is processed once.',
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
      .meta({ description: 'Idempotency key, unique per user. A repeated batch is not processed again' }),
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
  summary: 'Get the server-side state of this phone',
  description:
    'For a phone that was set up again or whose data does not arrive: its pushed data types, the results of its last batches, and the limits of a push. Contains no health values and no data of other phones, clouds or files.',
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
  summary: 'Send a log of the phone’s syncs',
  description: 'For troubleshooting. The service logs counts of the events and stores nothing.',
  auth: 'sdk',
  scope: 'push',
  audit: { resource: 'device_log', action: 'create' },
  ignoresUnknown: true,
  // Enough for a hundred events, each with a count for every data type.
  maxBodyBytes: 256 * 1024,
  status: 202,
  errors: [403, 404],
  params: userParams,
  body: sdkLogSchema,
  response: uploadResponseSchema,
});
