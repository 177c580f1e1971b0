import { z } from 'zod';
import { daySchema } from '../../envelope.js';
import { intParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';

const countSchema = z.object({ count: z.int() });

export const dashboardStatsSchema = z
  .object({
    total_users: countSchema,
    active_conn: countSchema.meta({ description: 'Active connections' }),
    data_points: z.object({ count: z.int(), archived: z.int() }).meta({
      description: 'Number of samples, including archived ones. The count may be up to five minutes old',
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

export const serviceActivitySchema = z
  .object({
    days: z
      .array(
        z.object({
          date: daySchema,
          samples: z.int().meta({ description: 'Samples measured on this local day, including archived ones' }),
          active_users: z.int().meta({ description: 'Users with samples on this local day' }),
          runs: z.int().meta({ description: 'Runs created on this UTC day' }),
          failed_runs: z.int().meta({ description: 'Runs created on this UTC day that failed' }),
        }),
      )
      .meta({ description: 'Oldest first; the last day is today in UTC' }),
    notifications: z
      .array(
        z.object({
          provider: z.string(),
          accepted: z.int().meta({ description: 'Reported changes of connected accounts, which the service reads' }),
          unmatched: z.int().meta({ description: 'Changes in accounts without a connection' }),
          unhandled: z.int().meta({ description: 'Changes in data types that the service does not use' }),
          refused: z.int().meta({ description: 'Deliveries without the webhook secret' }),
          badly_signed: z.int().meta({ description: 'Deliveries with an invalid signature' }),
        }),
      )
      .meta({ description: 'Vendor notifications on these days, by provider; omits providers without notifications' }),
  })
  .meta({ id: 'ServiceActivity' });
export type ServiceActivity = z.infer<typeof serviceActivitySchema>;

export const getDashboardStats = defineRoute({
  id: 'getDashboardStats',
  method: 'GET',
  path: '/api/v1/dashboard/stats',
  tag: 'Operations',
  summary: 'Get the totals of stored data',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no user data' },
  status: 200,
  response: dashboardStatsSchema,
});

export const getServiceActivity = defineRoute({
  id: 'getServiceActivity',
  method: 'GET',
  path: '/api/v1/dashboard/activity',
  tag: 'Operations',
  summary: 'List daily activity of the service and its vendors',
  description:
    'Counts over all users. Samples count on the local day of the measurement, so past days can still grow. Runs count on the UTC day of their creation, for SYNC_RUN_RETENTION_DAYS. Figures may be up to five minutes old.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no user data' },
  status: 200,
  query: z.object({ days: intParam({ min: 1, max: 31, default: 14 }).describe('Number of days, including today') }),
  response: serviceActivitySchema,
});
