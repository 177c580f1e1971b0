import { z } from 'zod';
import {
  daySchema,
  envelope,
  instantSchema,
  localOffsetSchema,
  sourceMetadataSchema,
  uuidSchema,
  zoneOffsetSchema,
} from '../../envelope.js';
import { boolParam, intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { sleepStageSchema } from '../../words.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';

export const sleepStagesSchema = z
  .object({
    awake_minutes: z.int().nullable(),
    light_minutes: z.int().nullable(),
    deep_minutes: z.int().nullable(),
    rem_minutes: z.int().nullable(),
  })
  .meta({ id: 'SleepStages' });
export type SleepStages = z.infer<typeof sleepStagesSchema>;

export const sleepSessionSchema = z
  .object({
    id: uuidSchema,
    start_time: instantSchema,
    end_time: instantSchema,
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema,
    wake_date: daySchema.meta({ description: 'Local day of waking, on which summaries count the session' }),
    source: sourceMetadataSchema,
    duration_seconds: z.int().meta({ description: 'Seconds from start to end' }),
    sleep_duration_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Seconds asleep; null if only time in bed is known' }),
    efficiency_percent: z.number().nullable(),
    stages: sleepStagesSchema.nullable(),
    sleep_stage_intervals: z
      .array(z.object({ stage: sleepStageSchema, start_time: instantSchema, end_time: instantSchema }))
      .nullable(),
    is_nap: z.boolean(),
  })
  .meta({ id: 'SleepSession' });
export type SleepSession = z.infer<typeof sleepSessionSchema>;

export const listSleepSessions = defineRoute({
  id: 'listSleepSessions',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/sleep',
  tag: 'Events',
  summary: 'List nights and naps, newest first',
  description:
    'Returns sessions of all sources that start in `[start_date, end_date)`. With `filter_by_priority=true`, only returns sessions that the sleep summary counts; a range with more than 50,000 sessions to compare is a 422.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'sleep_session', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam,
    end_date: momentParam,
    filter_by_priority: boolParam(false).meta({
      description: 'Only return sessions that the sleep summary counts',
    }),
    cursor: cursorParam,
    limit: intParam({ min: 1, max: 100, default: 50 }),
  }),
  response: envelope(sleepSessionSchema),
});
