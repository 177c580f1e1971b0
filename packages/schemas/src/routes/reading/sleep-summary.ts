import { z } from 'zod';
import {
  daySchema,
  envelope,
  instantSchema,
  localOffsetSchema,
  sourceMetadataSchema,
  withheldSchema,
  zoneOffsetSchema,
} from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';
import { sleepStagesSchema } from './sleep-sessions.js';

export const sleepSummarySchema = z
  .object({
    date: daySchema.meta({ description: 'Local day of waking' }),
    source: sourceMetadataSchema.meta({ description: 'Source of the sleep, or of the naps' }),
    sources: z
      .object({
        sleep: sourceMetadataSchema.nullable().meta({ description: 'Source of the sleep' }),
        naps: sourceMetadataSchema.nullable().meta({ description: 'Source of the naps' }),
        heart_rate: sourceMetadataSchema.nullable().meta({ description: 'Source of the heart rate during sleep' }),
        hrv: sourceMetadataSchema
          .nullable()
          .meta({ description: 'Source of the heart rate variability, both SDNN and RMSSD' }),
        oxygen_saturation: sourceMetadataSchema.nullable().meta({ description: 'Source of the oxygen saturation' }),
        respiratory_rate: sourceMetadataSchema.nullable().meta({ description: 'Source of the respiratory rate' }),
      })
      .meta({ description: 'Source of each group of figures; null if the group has no data' }),
    start_time: instantSchema.nullable(),
    end_time: instantSchema.nullable(),
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema.nullable(),
    duration_minutes: z.int().nullable().meta({
      description: 'Minutes asleep in main sessions; 0 if there are only naps, null if only time in bed is known',
    }),
    total_duration_minutes: z.int().nullable(),
    time_in_bed_minutes: z.int().nullable(),
    efficiency_percent: z.number().nullable(),
    stages: sleepStagesSchema.nullable(),
    interruptions_count: z.int().nullable().meta({
      description: 'Number of awake stages of at least a minute between falling asleep and waking; null without stages',
    }),
    nap_count: z.int().nullable(),
    nap_duration_minutes: z.int().nullable(),
    sessions: z
      .array(
        z.object({
          start_time: instantSchema,
          end_time: instantSchema,
          zone_offset: zoneOffsetSchema,
          local_offset: localOffsetSchema,
          duration_minutes: z.int().nullable(),
          is_nap: z.boolean(),
        }),
      )
      .nullable(),
    avg_heart_rate_bpm: z.int().nullable(),
    avg_hrv_sdnn_ms: z.number().nullable(),
    avg_hrv_rmssd_ms: z.number().nullable(),
    avg_respiratory_rate: z.number().nullable(),
    avg_spo2_percent: z.number().nullable(),
    withheld: withheldSchema,
  })
  .meta({ id: 'SleepSummary' });
export type SleepSummary = z.infer<typeof sleepSummarySchema>;

export const getSleepSummary = defineRoute({
  id: 'getSleepSummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/sleep',
  tag: 'Summaries',
  summary: 'List daily sleep',
  description:
    'Returns one row per local day of waking. Each group of figures comes from one source. The first day is the date of `start_date`. The date of `end_date` is excluded if the time is midnight, and included otherwise.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'sleep_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam,
    end_date: momentParam,
    cursor: cursorParam,
    limit: intParam({ min: 1, max: 100, default: 50 }),
  }),
  response: envelope(sleepSummarySchema),
});
