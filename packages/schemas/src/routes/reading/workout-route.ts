import { z } from 'zod';
import { attributionSchema, instantSchema, sourceMetadataSchema, uuidSchema } from '../../envelope.js';
import { intParam, userParams, uuidParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';

/** Largest deviation of a simplified route, in meters. */
const LARGEST_DEVIATION = 10_000;

export const workoutRouteSchema = z
  .object({
    type: z.literal('Feature').meta({ description: 'Type of the GeoJSON object' }),
    geometry: z
      .object({
        type: z.literal('LineString').meta({ description: 'Type of the GeoJSON geometry' }),
        coordinates: z
          .array(z.array(z.number()).min(2).max(3))
          .meta({ description: 'Longitude and latitude in degrees (WGS 84), and the elevation in meters if known' }),
      })
      .nullable()
      .meta({ description: 'Null if the workout has fewer than two positions' }),
    properties: z
      .object({
        workout_id: uuidSchema.meta({ description: 'ID of the workout' }),
        times: z.array(instantSchema).meta({ description: 'Time of each position, in order' }),
        speeds_m_per_s: z
          .array(z.number().nullable())
          .meta({ description: 'Speed at each position in m/s; null if unknown' }),
        total_points: z.int().nonnegative().meta({ description: 'Number of stored positions of the workout' }),
        complete: z.boolean().meta({ description: 'False if the route continues after its last position' }),
      })
      .meta({ description: 'Times and speeds of the positions' }),
    source: sourceMetadataSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'WorkoutRoute', description: 'Route of a workout as a GeoJSON feature' });
export type WorkoutRoute = z.infer<typeof workoutRouteSchema>;

export const getWorkoutRoute = defineRoute({
  id: 'getWorkoutRoute',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/workouts/{workout_id}/route',
  tag: 'Events',
  summary: 'Get the route of a workout as GeoJSON',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'workout', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams.extend({ workout_id: uuidParam }),
  query: z.object({
    simplify: intParam({ min: 0, max: LARGEST_DEVIATION }).meta({
      description: 'Omit positions that are at most this many meters away from the line through the other positions',
    }),
  }),
  response: workoutRouteSchema,
});
