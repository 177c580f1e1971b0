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
    provider_name: z.string().meta({ description: 'Name of the provider for people' }),
    cause: z.enum(DIAGNOSIS_CAUSES).meta({ description: 'What the verdict on each of these connections is' }),
    severity: z.enum(DIAGNOSIS_SEVERITIES).meta({ description: 'As in the verdict' }),
    remedy: z.enum(DIAGNOSIS_REMEDIES).meta({ description: 'What mends the cause' }),
    connections: z.int().meta({ description: 'How many; a user has one connection to a provider' }),
    first_since: instantSchema.nullable().meta({ description: 'When the first of them began' }),
    last_since: instantSchema.nullable().meta({ description: 'When the last of them began' }),
    details: z.array(z.string()).meta({
      description: 'What belongs to the cause: errors or kinds of data, the most frequent first, three at most',
    }),
    trend: z
      .array(
        z.object({
          at: instantSchema,
          connections: z.int().meta({ description: 'How many the group had then; 0 where there was none' }),
        }),
      )
      .meta({
        description:
          'The last seven days in steps of six hours, oldest first; empty until the service has run for an hour',
      }),
  })
  .meta({ id: 'TroubleGroup' });
export type TroubleGroup = z.infer<typeof troubleGroupSchema>;

export const troubleSchema = z
  .object({
    diagnosed_at: instantSchema.meta({ description: 'When the verdicts were made' }),
    working: z.int().meta({ description: 'Connections without any of these causes' }),
    groups: z.array(troubleGroupSchema).meta({ description: 'The worst first, then by how many they concern' }),
  })
  .meta({ id: 'Trouble' });
export type Trouble = z.infer<typeof troubleSchema>;

export const troubledUsersSchema = z
  .object({
    total: z.int().meta({ description: 'How many users the group has' }),
    items: z.array(
      z.object({
        user_id: uuidSchema,
        first_name: z.string().nullable(),
        last_name: z.string().nullable(),
        email: z.string().nullable(),
        since: instantSchema.nullable().meta({ description: 'When the cause began, as far as that is known' }),
        last_synced_at: instantSchema.nullable().meta({ description: 'When the last sync or push ended' }),
      }),
    ),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Goes into `after` for the next page; null on the last one' }),
  })
  .meta({ id: 'TroubledUsers' });
export type TroubledUsers = z.infer<typeof troubledUsersSchema>;

const common = { method: 'GET', tag: 'Connections', auth: 'key', scope: 'read', status: 200 } as const;

export const listTrouble = defineRoute({
  ...common,
  id: 'listTrouble',
  path: '/api/v1/diagnosis',
  summary: 'Why data do not arrive, over all users: connections grouped by cause',
  description:
    'The verdicts of `/api/v1/users/{user_id}/diagnosis`, counted by provider and cause, the worst first. Of all causes those ' +
    'are found that show without a look at a person’s data: `nothing_recorded`, `archived`, `zone_unknown` and ' +
    '`never_connected` are left out, and connections that have one of them count as working. A vendor counts as silent after ' +
    'three times WEBHOOK_SILENCE_SECONDS, regardless of the account’s usual pause. At most 20 seconds old.',
  audit: { exempt: 'counts over all users, no data of a person' },
  response: troubleSchema,
});

export const listTroubledUsers = defineRoute({
  ...common,
  id: 'listTroubledUsers',
  path: '/api/v1/diagnosis/users',
  summary: 'Users of one group of `/api/v1/diagnosis`',
  description: 'As it is now, the newest first; with `after` page by page.',
  audit: { resource: 'connection', action: 'read' },
  query: z.object({
    provider: providerSchema,
    cause: z.enum(DIAGNOSIS_CAUSES).describe('A cause of the group'),
    sort_by: enumParam(TROUBLED_ORDERS, 'latest').describe(
      '`latest`: by what happened to the connection last; `created_at`: by when the connection was made, which stays as it is while pages are read',
    ),
    limit: intParam({ min: 1, max: 1000, default: 100 }),
    after: cursorParam.describe(
      '`next_cursor` of the page before, with the same filters and order. With `sort_by=created_at` users who stay in the group are neither left out nor listed twice; with `latest` a user to whom something happens in between may be left out',
    ),
  }),
  response: troubledUsersSchema,
});
