import { z } from 'zod';
import { daySchema, envelope, sourceMetadataSchema } from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';

export const recoverySummarySchema = z
  .object({
    date: daySchema.meta({ description: 'Local day of waking' }),
    source: sourceMetadataSchema,
    sleep_duration_seconds: z.int().nullable().meta({ description: 'Seconds asleep at night; naps do not count' }),
    sleep_efficiency_percent: z.number().nullable(),
    resting_heart_rate_bpm: z.int().nullable(),
    avg_hrv_sdnn_ms: z.number().nullable(),
    avg_hrv_rmssd_ms: z.number().nullable(),
    avg_spo2_percent: z.number().nullable(),
    recovery_score: z.int().min(0).max(100).nullable().meta({
      deprecated: true,
      description: 'As the provider computed it on a scale from 0 to 100; read health scores instead',
    }),
  })
  .meta({ id: 'RecoverySummary' });
export type RecoverySummary = z.infer<typeof recoverySummarySchema>;

/** How the provider of a date is chosen. */
export const recoverySelectionSchema = z.enum(['complete', 'strict']);
export type RecoverySelection = z.infer<typeof recoverySelectionSchema>;

export const recoveryRouteSchemas = {
  getRecoverySummary: {
    params: userParams,
    query: z.object({
      start_date: momentParam,
      end_date: momentParam,
      cursor: cursorParam,
      limit: intParam({ min: 1, max: 100, default: 50 }),
      recovery_selection: recoverySelectionSchema.optional().meta({
        description:
          '`complete` prefers providers with both a resting heart rate and a variability, `strict` goes by priority alone; ' +
          'without it as the service is set',
      }),
    }),
    response: envelope(recoverySummarySchema),
  },
};
