import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
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
  })
  .meta({ id: 'UploadResponse' });
export type UploadResponse = z.infer<typeof uploadResponseSchema>;

export const sdkRouteSchemas = {
  pushDeviceData: {
    params: userParams,
    headers: z.object({
      'Idempotency-Key': z
        .string()
        .optional()
        .meta({ description: 'A batch sent again with the same key of the same user is not processed again' }),
    }),
    body: pushPayloadSchema,
    response: uploadResponseSchema,
  },
  sendDeviceLogs: {
    params: userParams,
    body: sdkLogSchema,
    response: uploadResponseSchema,
  },
};
