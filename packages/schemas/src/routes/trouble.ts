import { TROUBLED_ORDERS } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { enumParam, intParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';
import { DIAGNOSIS_CAUSES, DIAGNOSIS_REMEDIES, DIAGNOSIS_SEVERITIES } from './diagnosis.js';
import { cursorParam } from './reading/cursor.js';

export const troubleGroupSchema = z
  .object({
    provider: z.string(),
    provider_name: z.string().meta({ description: 'Display name of the provider' }),
    cause: z.enum(DIAGNOSIS_CAUSES).meta({ description: 'Diagnosis of the group’s connections' }),
    severity: z.enum(DIAGNOSIS_SEVERITIES).meta({ description: 'Severity, as in the diagnosis' }),
    remedy: z.enum(DIAGNOSIS_REMEDIES).meta({ description: 'Action that fixes the cause' }),
    connections: z.int().meta({ description: 'Number of connections; each user has one per provider' }),
    first_since: instantSchema.nullable().meta({ description: 'Earliest start of the cause' }),
    last_since: instantSchema.nullable().meta({ description: 'Latest start of the cause' }),
    details: z.array(z.string()).meta({
      description: 'Details of the cause: the three most frequent errors or data types',
    }),
    trend: z
      .array(
        z.object({
          at: instantSchema,
          connections: z.int().meta({ description: 'Number of connections in the group at that time' }),
        }),
      )
      .meta({
        description: 'Last seven days in steps of six hours, oldest first; empty until the service has run for an hour',
      }),
  })
  .meta({ id: 'TroubleGroup' });
export type TroubleGroup = z.infer<typeof troubleGroupSchema>;

export const troubleSchema = z
  .object({
    diagnosed_at: instantSchema.meta({ description: 'Time of the diagnosis' }),
    working: z.int().meta({ description: 'Connections without any of the problems in `groups`' }),
    groups: z
      .array(troubleGroupSchema)
      .meta({ description: 'Groups, most severe first, then by number of connections' }),
  })
  .meta({ id: 'Trouble' });
export type Trouble = z.infer<typeof troubleSchema>;

export const troubledUsersSchema = z
  .object({
    total: z.int().meta({ description: 'Number of users in the group' }),
    items: z.array(
      z.object({
        user_id: uuidSchema,
        first_name: z.string().nullable(),
        last_name: z.string().nullable(),
        email: z.string().nullable(),
        since: instantSchema.nullable().meta({ description: 'Start of the cause, if known' }),
        last_synced_at: instantSchema.nullable().meta({ description: 'End of the last sync or push' }),
      }),
    ),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value for `after` to get the next page; null on the last page' }),
  })
  .meta({ id: 'TroubledUsers' });
export type TroubledUsers = z.infer<typeof troubledUsersSchema>;

const common = { method: 'GET', tag: 'Connections', auth: 'key', scope: 'read', status: 200 } as const;

export const listTrouble = defineRoute({
  ...common,
  id: 'listTrouble',
  path: '/api/v1/diagnosis',
  summary: 'List connection problems of all users, grouped by cause',
  description:
    'Counts the diagnoses of `/api/v1/users/{user_id}/diagnosis` by provider and cause, most severe first. Omits causes that require reading a user’s data: connections with `nothing_recorded`, `archived`, `zone_unknown` or `never_connected` count as working. A vendor counts as silent after three times WEBHOOK_SILENCE_SECONDS, whatever the account’s usual interval. The counts may be up to 20 seconds old.',
  audit: { exempt: 'counts over all users, no user data' },
  response: troubleSchema,
});

export const listTroubledUsers = defineRoute({
  ...common,
  id: 'listTroubledUsers',
  path: '/api/v1/diagnosis/users',
  summary: 'List the users of one group of `/api/v1/diagnosis`',
  description: 'Returns the current users, newest first. Pass `after` for the next page.',
  audit: { resource: 'connection', action: 'read' },
  query: z.object({
    provider: providerSchema,
    cause: z.enum(DIAGNOSIS_CAUSES).describe('Cause of the group'),
    sort_by: enumParam(TROUBLED_ORDERS, 'latest').describe(
      '`latest`: sort by the connection’s last event; `created_at`: by its creation, which does not change while you page',
    ),
    limit: intParam({ min: 1, max: 1000, default: 100 }),
    after: cursorParam.describe(
      '`next_cursor` of the previous page, with the same filters and order. With `sort_by=created_at`, users who stay in the group are neither skipped nor repeated. With `latest`, a user whose connection changes between pages may be skipped',
    ),
  }),
  response: troubledUsersSchema,
});
