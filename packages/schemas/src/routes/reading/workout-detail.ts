import { z } from 'zod';
import { attributionSchema, instantSchema, uuidSchema } from '../../envelope.js';
import { userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { sessionSamplesSchema } from './session-samples.js';
import { workoutSchema } from './workouts.js';

const measure = z.number().nullable();

export const workoutDetailSchema = workoutSchema
  .extend({
    attribution: attributionSchema,
    moving_seconds: z.int().nullable(),
    basal_calories_kcal: measure,
    min_heart_rate_bpm: z.int().nullable(),
    average_speed_m_per_s: measure,
    max_speed_m_per_s: measure,
    average_watts: measure,
    max_watts: measure,
    average_cadence_rpm: measure,
    elevation_low_meters: measure,
    elevation_high_meters: measure,
    indoor: z.boolean().nullable(),
    user_entered: z.boolean().nullable(),
    events: z
      .array(
        z.object({
          type: z.string(),
          start_time: instantSchema,
          duration_seconds: measure,
          label: z.string().nullable().meta({ description: 'The vendor’s name of the part, such as an exercise' }),
          repetitions: z.int().nullable(),
          distance_meters: measure,
        }),
      )
      .meta({ description: 'Pauses, laps, segments and markers' }),
    activities: z
      .array(
        z.object({
          type: z.string(),
          start_time: instantSchema,
          end_time: instantSchema.nullable(),
          duration_seconds: measure,
          distance_meters: measure,
        }),
      )
      .meta({ description: 'Parts of a multisport workout' }),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Additional data in the vendor’s format' }),
    duplicate_ids: z.array(uuidSchema).meta({ description: 'IDs of the same workout from other sources' }),
    samples: sessionSamplesSchema,
  })
  .meta({ id: 'WorkoutDetail' });
export type WorkoutDetail = z.infer<typeof workoutDetailSchema>;

export const getWorkout = defineRoute({
  id: 'getWorkout',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}',
  tag: 'Events',
  summary: 'Get a workout with its samples',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams.extend({ workout_id: uuidParam }),
  response: workoutDetailSchema,
});
