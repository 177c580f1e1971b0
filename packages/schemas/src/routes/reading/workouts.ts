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
    duration_seconds: z.int().nullable().meta({ description: 'Seconds, without pauses where the source says so' }),
    source: sourceMetadataSchema,
    calories_kcal: z.number().nullable().meta({
      description:
        'Active energy in kcal; where the source knows the total alone, the total, and `total_calories_kcal` equals it',
    }),
    total_calories_kcal: z.number().nullable().meta({ description: 'Active and basal energy together, in kcal' }),
    distance_meters: z.number().nullable(),
    avg_heart_rate_bpm: z.int().nullable(),
    max_heart_rate_bpm: z.int().nullable(),
    avg_pace_sec_per_km: z
      .int()
      .nullable()
      .meta({ description: 'Seconds a kilometre; null below 50 m and where a pace says nothing' }),
    elevation_gain_meters: z.number().nullable(),
    intensity: z.string().nullable().meta({ description: 'Intensity in the vendor\u2019s word' }),
    entry_source: z
      .enum(['auto', 'manual'])
      .nullable()
      .meta({ description: 'Whether a device recorded it or a person entered it' }),
    heart_rate_min: z.int().nullable(),
    steps_count: z.int().nullable(),
    average_speed: measure.meta({ description: 'Meters a second' }),
    max_speed: measure.meta({ description: 'Meters a second' }),
    average_cadence: measure.meta({ description: 'Revolutions or steps a minute' }),
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
  summary: 'Workouts, newest first',
  description:
    'Workouts of all sources that start in `[start_date, end_date)`. With `filter_by_priority=true`, a workout that several ' +
    'sources recorded (types of one family, four fifths of the shorter one in common) is shown once, as the best source has it.',
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
    record_type: textField(100).optional().meta({ description: 'Workout type or a part of its name, in any case' }),
    filter_by_priority: boolParam(undefined).meta({
      description: 'Shows a workout that several sources recorded once, as the best of them has it. Default: false',
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
