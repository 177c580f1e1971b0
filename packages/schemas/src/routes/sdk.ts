import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
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

export const sdkRouteSchemas = {
  pushDeviceData: {
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
  },
  getPhoneState: {
    params: userParams,
    headers: z.object({ 'X-Device-ID': deviceIdHeader }),
    response: phoneStateSchema,
  },
  sendDeviceLogs: {
    params: userParams,
    body: sdkLogSchema,
    response: uploadResponseSchema,
  },
};
