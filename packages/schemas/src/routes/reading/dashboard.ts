import { z } from 'zod';

const countSchema = z.object({ count: z.int() });

export const dashboardStatsSchema = z
  .object({
    total_users: countSchema,
    active_conn: countSchema.meta({ description: 'Connections in use' }),
    data_points: z.object({ count: z.int(), archived: z.int() }).meta({
      description: 'Samples stored, and samples that were archived: part of daily figures only. Up to five minutes old',
    }),
    event_records: z.object({
      count: z.int(),
      workouts: z.int(),
      sleep: z.int(),
      menstrual_cycles: z.int(),
    }),
    connections_coverage: z.object({
      users_with_active: z.int(),
      users_with_multi_active: z.int(),
      top_providers: z.array(z.object({ provider: z.string(), count: z.int() })),
    }),
  })
  .meta({ id: 'DashboardStats' });
export type DashboardStats = z.infer<typeof dashboardStatsSchema>;

export const dashboardRouteSchemas = {
  getDashboardStats: {
    response: dashboardStatsSchema,
  },
};
