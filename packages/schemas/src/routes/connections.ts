import { CONNECTION_STATES, LIVE_SYNC_MODES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, paginationSchema, uuidSchema } from '../envelope.js';
import { intParam, userParams, uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';
import { cursorParam } from './reading/cursor.js';

export const connectionSchema = z
  .object({
    id: uuidSchema,
    user_id: uuidSchema,
    provider: z.string(),
    provider_user_id: z.string().nullable().meta({ description: 'The vendor\u2019s id of the account' }),
    provider_username: z.string().nullable(),
    scope: z.string().nullable().meta({ description: 'What the person granted, separated by spaces' }),
    status: z.enum(['active', 'revoked', 'expired']),
    last_synced_at: instantSchema
      .nullable()
      .meta({ description: 'End of the last run that brought data; null before the first' }),
    last_error: z.string().nullable().meta({
      description: 'What went wrong last, for people; null once a run has succeeded and none waits for another attempt',
    }),
    last_error_at: instantSchema.nullable().meta({ description: 'When that happened' }),
    failing_since: instantSchema
      .nullable()
      .meta({ description: 'First failure since the last success; null while nothing is wrong' }),
    next_try_at: instantSchema.nullable().meta({
      description:
        'When a run that waits is attempted again, or else, where something is wrong, when the vendor is polled next, at the earliest; null when neither is to come',
    }),
    created_at: instantSchema,
    updated_at: instantSchema,
    icon_url: z.string().nullable().meta({ description: 'Relative to the base address' }),
    max_historical_days: z.int().nullable(),
    rest_pull: z.boolean(),
    webhook_stream: z.boolean(),
    webhook_ping: z.boolean(),
    webhook_callback: z.boolean(),
    live_sync_mode: z.enum(LIVE_SYNC_MODES).nullable(),
    linked_user_ids: z.array(uuidSchema).meta({
      description:
        'Other users with an active connection to the same account of the vendor; empty unless the connection is active',
    }),
    status_reason: z
      .enum([
        'user_disconnected',
        'push_allowed',
        'refresh_failed',
        'deregistered',
        'token_expired',
        'token_unreadable',
      ])
      .nullable()
      .meta({ description: 'Why the connection is not active' }),
    account_state: z
      .enum(['linked', 'not_linked', 'not_ready'])
      .meta({ description: '`not_linked`: the account has no health data at the vendor yet' }),
    time_zone: z.string().nullable().meta({
      description:
        'IANA name of the zone of the vendor\u2019s account, or the one that items of the phone named on most days; it dates items without an offset where no zone is set for the user',
    }),
    has_authorization: z
      .boolean()
      .meta({ description: 'Whether the vendor\u2019s cloud can be asked; false where a phone pushes only' }),
    missing_scopes: z.array(z.string()).meta({
      description: 'Asked for and not granted; also the permission to renew the access, where the vendor has one',
    }),
    missing_data_types: z.array(z.string()).meta({
      description:
        'Kinds of data that cannot be fetched because of that, as the vendor names them; `offline` where the access cannot be renewed and ends within hours',
    }),
  })
  .meta({ id: 'Connection' });
export type ConnectionResponse = z.infer<typeof connectionSchema>;

/** One connection among those of all users, with whose it is. */
export const listedConnectionSchema = connectionSchema
  .pick({
    id: true,
    user_id: true,
    provider: true,
    status: true,
    status_reason: true,
    account_state: true,
    has_authorization: true,
    last_synced_at: true,
    last_error: true,
    last_error_at: true,
    failing_since: true,
    created_at: true,
  })
  .extend({
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string().nullable(),
  })
  .meta({ id: 'ListedConnection' });
export type ListedConnection = z.infer<typeof listedConnectionSchema>;

export const connectionListSchema = z
  .object({ data: z.array(listedConnectionSchema), pagination: paginationSchema })
  .meta({ id: 'ConnectionList' });
export type ConnectionList = z.infer<typeof connectionListSchema>;

const connectionParams = userParams.extend({ provider: providerSchema });

export const listConnections = defineRoute({
  id: 'listConnections',
  method: 'GET',
  path: '/api/v1/users/{user_id}/connections',
  tag: 'Connections',
  summary: 'Connections of a user, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'connection', action: 'read' },
  status: 200,
  params: userParams,
  response: z.array(connectionSchema),
});

export const listAllConnections = defineRoute({
  id: 'listAllConnections',
  method: 'GET',
  path: '/api/v1/connections',
  tag: 'Connections',
  summary: 'Connections of all users, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'connection', action: 'read' },
  status: 200,
  query: z.object({
    user_id: uuidParam.optional(),
    provider: providerSchema.optional(),
    state: z
      .enum(CONNECTION_STATES)
      .optional()
      .describe('`failing`: active, and something has failed since the last success; `ended`: not active any more'),
    limit: intParam({ min: 1, max: 1000, default: 50 }),
    cursor: cursorParam,
  }),
  response: connectionListSchema,
});

export const disconnectProvider = defineRoute({
  id: 'disconnectProvider',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/connections/{provider}',
  tag: 'Connections',
  summary: 'End a connection; the data stay',
  description:
    'Ends the consent at the vendor where it offers that, and clears the tokens. A phone that pushes for this provider is refused from now on, until it is given new credentials.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'connection', action: 'delete' },
  status: 204,
  params: connectionParams,
});

export const deleteProviderData = defineRoute({
  id: 'deleteProviderData',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/connections/{provider}/data',
  tag: 'Connections',
  summary: 'End a connection and delete all data that came from its provider',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'provider_data', action: 'delete' },
  status: 204,
  params: connectionParams,
});
