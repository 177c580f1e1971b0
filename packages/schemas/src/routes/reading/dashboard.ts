import { z } from 'zod';
import { daySchema } from '../../envelope.js';
import { intParam } from '../../parameters.js';
import { defineRoute } from '../../route.js';

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

export const serviceActivitySchema = z
  .object({
    days: z
      .array(
        z.object({
          date: daySchema,
          samples: z
            .int()
            .meta({ description: 'Samples that were measured on this local day, archived ones included' }),
          active_users: z.int().meta({ description: 'Users with samples of this local day' }),
          runs: z.int().meta({ description: 'Runs that were created on this day in UTC' }),
          failed_runs: z.int().meta({ description: 'Those of them that failed' }),
        }),
      )
      .meta({ description: 'Oldest first; the last one is today in UTC' }),
    notifications: z
      .array(
        z.object({
          provider: z.string(),
          accepted: z.int().meta({ description: 'Changes of connected accounts, which are read' }),
          unmatched: z.int().meta({ description: 'Changes of accounts to which no one is connected' }),
          unhandled: z.int().meta({ description: 'Changes of kinds of data that are not read' }),
          refused: z.int().meta({ description: 'Deliveries without the secret that was agreed on with the vendor' }),
          badly_signed: z.int().meta({ description: 'Deliveries whose signature is wrong' }),
        }),
      )
      .meta({ description: 'What vendors reported on these days, by provider; only those that reported something' }),
  })
  .meta({ id: 'ServiceActivity' });
export type ServiceActivity = z.infer<typeof serviceActivitySchema>;

export const getDashboardStats = defineRoute({
  id: 'getDashboardStats',
  method: 'GET',
  path: '/api/v1/dashboard/stats',
  tag: 'Operations',
  summary: 'How much this service holds',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no data of a person' },
  status: 200,
  response: dashboardStatsSchema,
});

export const getServiceActivity = defineRoute({
  id: 'getServiceActivity',
  method: 'GET',
  path: '/api/v1/dashboard/activity',
  tag: 'Operations',
  summary: 'What this service did by day, and what vendors reported to it',
  description:
    'Counts over all users. Samples count on the local day on which they were measured, so that days of the past still grow; runs count on the day in UTC on which they were created, as long as they are stored (SYNC_RUN_RETENTION_DAYS). Where counting takes long the figures are up to five minutes old.',
  auth: 'developer',
  audit: { exempt: 'counts over all users, no data of a person' },
  status: 200,
  query: z.object({ days: intParam({ min: 1, max: 31, default: 14 }).describe('How many days, today included') }),
  response: serviceActivitySchema,
});
