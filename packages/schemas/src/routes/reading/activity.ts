import { z } from 'zod';
import { daySchema, envelope, sourceMetadataSchema, withheldSchema } from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';

/** How overlapping sources are combined. */
export const activityMergeSchema = z.enum(['source', 'interval']);
export type ActivityMerge = z.infer<typeof activityMergeSchema>;

/** Default: the setting ACTIVITY_MERGE. */
export const activityMergeParam = activityMergeSchema.optional().meta({
  description:
    '`source`: each group of figures comes from one source. `interval`: for steps, distance, floors and energy, sources of one provider and account count as one source, and each instant counts once. Default: the setting ACTIVITY_MERGE',
});

export const activitySummarySchema = z
  .object({
    date: daySchema.meta({ description: 'Day in the user’s local time' }),
    source: sourceMetadataSchema.meta({
      description: 'Source of the movement group, or of the first group with data',
    }),
    sources: z
      .object({
        movement: sourceMetadataSchema
          .nullable()
          .meta({ description: 'Source of steps, distance, floors, active and sedentary minutes' }),
        energy: sourceMetadataSchema.nullable().meta({ description: 'Source of active, basal and total energy' }),
        heart_rate: sourceMetadataSchema
          .nullable()
          .meta({ description: 'Source of the daily heart rate and of the intensity minutes' }),
        elevation: sourceMetadataSchema
          .nullable()
          .meta({ description: 'Source of the elevation, which is measured in workouts' }),
      })
      .meta({ description: 'Source of each group of figures; null if the group has no data' }),
    steps: z.int().nullable(),
    distance_meters: z.number().nullable(),
    floors_climbed: z.int().nullable(),
    elevation_meters: z.number().nullable().meta({ description: 'Elevation gain in workouts in meters' }),
    active_calories_kcal: z.number().nullable(),
    total_calories_kcal: z
      .number()
      .nullable()
      .meta({ description: 'Active plus basal energy in kcal; null if either is unknown' }),
    active_minutes: z.int().nullable(),
    sedentary_minutes: z.int().nullable().meta({
      description: 'Minutes awake and not active; null if less than six hours of the day are known',
    }),
    intensity_minutes: z
      .object({ light: z.int(), moderate: z.int(), vigorous: z.int() })
      .nullable()
      .meta({ description: 'Minutes by heart rate: 50–63, 64–76 and above 76 percent of the maximum' }),
    heart_rate: z
      .object({ avg_bpm: z.int().nullable(), max_bpm: z.int().nullable(), min_bpm: z.int().nullable() })
      .nullable(),
    withheld: withheldSchema,
  })
  .meta({ id: 'ActivitySummary' });
export type ActivitySummary = z.infer<typeof activitySummarySchema>;

export const getActivitySummary = defineRoute({
  id: 'getActivitySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/activity',
  tag: 'Summaries',
  summary: 'List daily activity',
  description:
    'Returns one row per day with data. The service selects a source for each group of metrics (movement, energy, heart rate) and never adds up sources. The first day is the date of `start_date`. The date of `end_date` is excluded if the time is midnight, and included otherwise.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam,
    end_date: momentParam,
    cursor: cursorParam,
    limit: intParam({ min: 1, max: 400, default: 50 }),
    sort_order: z.enum(['asc', 'desc']).default('asc'),
    merge: activityMergeParam,
  }),
  response: envelope(activitySummarySchema),
});
