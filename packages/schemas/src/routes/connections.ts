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
    provider_user_id: z.string().nullable().meta({ description: 'Account ID at the vendor' }),
    provider_username: z.string().nullable(),
    scope: z.string().nullable().meta({ description: 'Granted scopes, separated by spaces' }),
    status: z.enum(['active', 'revoked', 'expired']),
    last_synced_at: instantSchema
      .nullable()
      .meta({ description: 'End of the last run that stored data; null before the first' }),
    last_error: z.string().nullable().meta({
      description:
        'Last error message. A successful run clears it, unless a data type is waiting for a retry or failed within the last day without a later success',
    }),
    last_error_at: instantSchema.nullable().meta({ description: 'Time of the last error' }),
    failing_since: instantSchema
      .nullable()
      .meta({ description: 'First failure since the last success; null if there is no error' }),
    next_try_at: instantSchema.nullable().meta({
      description:
        'Time of the next retry. If no run is waiting and there is an error: earliest time of the next poll. Null if neither is scheduled',
    }),
    created_at: instantSchema,
    updated_at: instantSchema,
    icon_url: z.string().nullable().meta({ description: 'Relative to the base URL' }),
    max_historical_days: z.int().nullable(),
    rest_pull: z.boolean(),
    webhook_stream: z.boolean(),
    webhook_ping: z.boolean(),
    webhook_callback: z.boolean(),
    live_sync_mode: z.enum(LIVE_SYNC_MODES).nullable(),
    linked_user_ids: z.array(uuidSchema).meta({
      description:
        'Other users with an active connection to the same vendor account; empty unless this connection is active',
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
      .meta({ description: 'Reason why the connection is not active' }),
    account_state: z
      .enum(['linked', 'not_linked', 'not_ready'])
      .meta({ description: '`not_linked`: the account has no health data at the vendor yet' }),
    time_zone: z.string().nullable().meta({
      description:
        'IANA name of the vendor account’s time zone, or the phone’s most frequent time zone. Dates items without an offset if the user has no time zone',
    }),
    has_authorization: z
      .boolean()
      .meta({ description: 'True if the vendor’s cloud can be polled; false for phone pushes' }),
    missing_scopes: z.array(z.string()).meta({
      description:
        'Scopes that were requested but not granted, including the permission to refresh access if the vendor has one',
    }),
    missing_data_types: z.array(z.string()).meta({
      description:
        'Data types that cannot be fetched without these scopes, in the vendor’s terms; `offline` if access cannot be refreshed and ends within hours',
    }),
  })
  .meta({ id: 'Connection' });
export type ConnectionResponse = z.infer<typeof connectionSchema>;

/** Connection in the list of all users, with its user. */
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
  summary: 'List a user’s connections, newest first',
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
  summary: 'List all users’ connections, newest first',
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
      .describe('`failing`: active, with an error since the last success; `ended`: not active'),
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
  summary: 'Disconnect a provider and keep its data',
  description:
    'Revokes the grant at the vendor if the vendor supports it, and deletes the tokens. Later pushes from a phone are rejected until the phone gets new credentials.',
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
  summary: 'Disconnect a provider and delete its data',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'provider_data', action: 'delete' },
  status: 204,
  params: connectionParams,
});
