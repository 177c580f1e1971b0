import { z } from 'zod';
import { daySchema, envelope, sourceMetadataSchema, withheldSchema } from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';

export const recoverySummarySchema = z
  .object({
    date: daySchema.meta({ description: 'Local day of waking' }),
    source: sourceMetadataSchema.meta({
      description: 'Source of the sleep, or of the first group with data',
    }),
    sources: z
      .object({
        sleep: sourceMetadataSchema.nullable().meta({ description: 'Source of the sleep' }),
        hrv: sourceMetadataSchema
          .nullable()
          .meta({ description: 'Source of the heart rate variability, both SDNN and RMSSD' }),
        oxygen_saturation: sourceMetadataSchema.nullable().meta({ description: 'Source of the oxygen saturation' }),
        resting_heart_rate: sourceMetadataSchema.nullable().meta({ description: 'Source of the resting heart rate' }),
        score: sourceMetadataSchema.nullable().meta({ description: 'Source of the recovery score' }),
      })
      .meta({ description: 'Source of each group of figures; null if the group has no data' }),
    sleep_duration_seconds: z.int().nullable().meta({ description: 'Seconds asleep at night, without naps' }),
    sleep_efficiency_percent: z.number().nullable(),
    resting_heart_rate_bpm: z.int().nullable(),
    avg_hrv_sdnn_ms: z.number().nullable(),
    avg_hrv_rmssd_ms: z.number().nullable(),
    avg_spo2_percent: z.number().nullable(),
    recovery_score: z.int().min(0).max(100).nullable().meta({
      deprecated: true,
      description: 'The provider’s recovery score from 0 to 100; use health scores instead',
    }),
    withheld: withheldSchema,
  })
  .meta({ id: 'RecoverySummary' });
export type RecoverySummary = z.infer<typeof recoverySummarySchema>;

/** Strategy that selects the provider of a date. */
export const recoverySelectionSchema = z.enum(['complete', 'strict']);
export type RecoverySelection = z.infer<typeof recoverySelectionSchema>;

export const getRecoverySummary = defineRoute({
  id: 'getRecoverySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/recovery',
  tag: 'Summaries',
  summary: 'List daily recovery',
  description:
    'Returns one row per local day of waking, computed from stored series: resting heart rate, heart rate variability and oxygen saturation of the night that ended on the day. Heart rate variability and oxygen saturation come from the sleep summary, and the score comes from the sleep’s provider. The first day is the date of `start_date`. The date of `end_date` is excluded if the time is midnight, and included otherwise.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'recovery_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam,
    end_date: momentParam,
    cursor: cursorParam,
    limit: intParam({ min: 1, max: 100, default: 50 }),
    recovery_selection: recoverySelectionSchema.optional().meta({
      deprecated: true,
      description: 'Ignored. One rule selects the source of every figure',
    }),
  }),
  response: envelope(recoverySummarySchema),
});
