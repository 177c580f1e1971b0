import { z } from 'zod';
import {
  envelope,
  instantSchema,
  localOffsetSchema,
  sourceMetadataSchema,
  uuidSchema,
  zoneOffsetSchema,
} from '../../envelope.js';
import { boolParam, intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { textField } from '../../text.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';
import { sourceFilterParams } from './source-filter.js';

const measure = z.number().nullable();

export const workoutSchema = z
  .object({
    id: uuidSchema,
    type: z.string(),
    name: z.string().nullable(),
    start_time: instantSchema,
    end_time: instantSchema,
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema,
    duration_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Duration in seconds, without pauses if the source reports them' }),
    source: sourceMetadataSchema,
    calories_kcal: z.number().nullable().meta({
      description:
        'Active energy in kcal. If the source reports only the total, this is the total and equals `total_calories_kcal`',
    }),
    total_calories_kcal: z.number().nullable().meta({ description: 'Active plus basal energy in kcal' }),
    distance_meters: z.number().nullable(),
    avg_heart_rate_bpm: z.int().nullable(),
    max_heart_rate_bpm: z.int().nullable(),
    avg_pace_sec_per_km: z
      .int()
      .nullable()
      .meta({ description: 'Seconds per kilometer. Null below 50 m or if not meaningful' }),
    elevation_gain_meters: z.number().nullable(),
    intensity: z.string().nullable().meta({ description: 'Intensity in the vendor’s words' }),
    entry_source: z
      .enum(['auto', 'manual'])
      .nullable()
      .meta({ description: 'Recorded by a device or entered by hand' }),
    heart_rate_min: z.int().nullable(),
    steps_count: z.int().nullable(),
    average_speed: measure.meta({ description: 'Mean speed in meters per second' }),
    max_speed: measure.meta({ description: 'Maximum speed in meters per second' }),
    average_cadence: measure.meta({ description: 'Mean cadence in revolutions or steps per minute' }),
    average_watts: measure,
    max_watts: measure,
    moving_time_seconds: z.int().nullable(),
    elev_high: measure.meta({ description: 'Highest elevation in meters' }),
    elev_low: measure.meta({ description: 'Lowest elevation in meters' }),
  })
  .meta({ id: 'Workout' });
export type Workout = z.infer<typeof workoutSchema>;

export const listWorkouts = defineRoute({
  id: 'listWorkouts',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/workouts',
  tag: 'Events',
  summary: 'List workouts, newest first',
  description:
    'Returns workouts of all sources that start in `[start_date, end_date)`. With `filter_by_priority=true`, a workout that several sources recorded is returned once, from the best source. Workouts count as the same if their types are related and they share at least four fifths of the shorter workout. A range with more than 50,000 workouts to compare gets a 422.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam,
    end_date: momentParam,
    record_type: textField(100)
      .optional()
      .meta({ description: 'Only return workouts whose type contains this text, in upper or lower case' }),
    filter_by_priority: boolParam(undefined).meta({
      description: 'Return a workout that several sources recorded as one row, from the best source. Default: false',
    }),
    include_duplicates: boolParam(undefined).meta({
      description: 'Deprecated: `false` means `filter_by_priority=true`',
      deprecated: true,
    }),
    ...sourceFilterParams,
    cursor: cursorParam,
    limit: intParam({ min: 1, max: 100, default: 50 }),
  }),
  response: envelope(workoutSchema),
});
