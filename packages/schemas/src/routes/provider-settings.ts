import { DATA_GRANULARITIES, LIVE_SYNC_MODES } from '@healthd/contract';
import { INTEGRATED_PROVIDER_IDS } from '@healthd/model';
import { z } from 'zod';
import { instantSchema } from '../envelope.js';
import { boolParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';

export const providerSettingSchema = z
  .object({
    provider: z.string(),
    name: z.string(),
    has_cloud_api: z.boolean().meta({ description: 'True if users connect on the vendor’s consent page' }),
    is_enabled: z.boolean(),
    icon_url: z.string().meta({ description: 'Relative to the base URL' }),
    live_sync_mode: z.enum(LIVE_SYNC_MODES).nullable(),
    live_sync_configurable: z.boolean(),
    data_granularity: z.enum(DATA_GRANULARITIES).nullable().meta({ description: 'Null: DEFAULT_DATA_GRANULARITY' }),
    is_configured: z.boolean().meta({ description: 'False for a cloud whose OAuth client is not configured' }),
    subscriber_state: z
      .enum(['unmanaged', 'registering', 'active', 'failed'])
      .nullable()
      .meta({ description: 'Webhook registration in webhook mode. The service polls until it is `active`' }),
    subscriber_error: z.string().nullable().meta({ description: 'Error code if the registration failed' }),
  })
  .meta({ id: 'ProviderSetting' });
export type ProviderSettingResponse = z.infer<typeof providerSettingSchema>;

const requestsOf = (what: string) => z.int().meta({ description: `Runs that are waiting for the quota: ${what}` });

/** Quota of the application at the vendor and its use. */
export const requestQuotaSchema = z
  .object({
    windows: z
      .array(
        z.object({
          window_seconds: z.int().meta({ description: 'Length of the window in seconds' }),
          limit: z
            .int()
            .meta({ description: 'Maximum number of requests of all users in the window; below the vendor’s limit' }),
          spent: z.int().meta({ description: 'Requests in the last `window_seconds`' }),
          left: z.int().meta({ description: 'Remaining requests in the window' }),
          refilled_at: instantSchema.nullable().meta({
            description: 'Latest time when a full burst of requests is available again; null if it is available now',
          }),
        }),
      )
      .meta({ description: 'The vendor’s rate limit windows' }),
    active_connections: z.int().meta({ description: 'Number of connected users' }),
    requests_last_day: z.int().meta({ description: 'Requests in the last 24 hours' }),
    requests_per_user_and_day: z
      .number()
      .nullable()
      .meta({ description: 'Requests per user in the last 24 hours; null without requests or connected users' }),
    users_served: z.int().nullable().meta({
      description: 'Number of users the quota supports at `requests_per_user_and_day`; null without that rate',
    }),
    waiting: z
      .object({
        manual: requestsOf('syncs on request'),
        first_sync: requestsOf('first syncs of connections'),
        webhook: requestsOf('syncs of changes that a vendor reported'),
        live: requestsOf('scheduled syncs'),
        backfill: requestsOf('backfills'),
      })
      .meta({ description: 'Waiting runs by priority, highest first' }),
  })
  .meta({ id: 'RequestQuota' });
export type RequestQuotaResponse = z.infer<typeof requestQuotaSchema>;

export const providerDetailSchema = providerSettingSchema
  .extend({
    request_quota: requestQuotaSchema
      .nullable()
      .meta({ description: 'Requests to the vendor; null for providers without a cloud or credentials' }),
  })
  .meta({ id: 'ProviderDetail' });
export type ProviderDetailResponse = z.infer<typeof providerDetailSchema>;

/** The route itself rejects null and unknown modes with 400 in every error format. */
const liveSyncMode = z
  .unknown()
  .meta({ enum: LIVE_SYNC_MODES, type: 'string', description: 'Omit to leave unchanged. Null is rejected.' });

export const listProviders = defineRoute({
  id: 'listProviders',
  method: 'GET',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'List providers and their settings',
  description: 'Returns providers that push or accept files, and clouds whose OAuth client is configured.',
  auth: 'public',
  audit: { exempt: 'settings of the service, no user data' },
  status: 200,
  query: z.object({
    enabled_only: boolParam(false),
    cloud_only: boolParam(false),
    include_unconfigured: boolParam(false),
  }),
  response: z.array(providerSettingSchema),
});

export const getProvider = defineRoute({
  id: 'getProvider',
  method: 'GET',
  path: '/api/v1/oauth/providers/{provider}',
  tag: 'Providers',
  summary: 'Get a provider’s settings and remaining quota',
  description:
    'The quota belongs to this deployment’s application at the vendor. All users share it, and so do all processes on the same database.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { exempt: 'settings of the service, no user data' },
  status: 200,
  errors: [400],
  params: z.object({ provider: providerSchema }),
  response: providerDetailSchema,
});

export const updateProvider = defineRoute({
  id: 'updateProvider',
  method: 'PUT',
  path: '/api/v1/oauth/providers/{provider}',
  tag: 'Providers',
  summary: 'Update a provider’s settings',
  description:
    'Omitted fields do not change. Switching to `webhook` registers this service at the vendor. `subscriber_state` contains the progress; the service polls until it is `active`.',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  status: 200,
  errors: [400],
  params: z.object({ provider: providerSchema }),
  body: z
    .object({
      is_enabled: z.boolean().nullish(),
      live_sync_mode: liveSyncMode.optional(),
      data_granularity: z
        .enum(DATA_GRANULARITIES)
        .nullish()
        .meta({ description: 'Null resets it to DEFAULT_DATA_GRANULARITY' }),
    })
    .prefault({}),
  response: providerSettingSchema,
});

export const updateProviders = defineRoute({
  id: 'updateProviders',
  method: 'PUT',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Enable or disable several providers',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  status: 200,
  errors: [400],
  body: z.object({
    providers: z.record(z.string(), z.boolean()).superRefine((providers, context) => {
      for (const id of Object.keys(providers)) {
        if (!(INTEGRATED_PROVIDER_IDS as readonly string[]).includes(id)) {
          problem(context as never, 'enum', `Unknown provider: ${id}`);
        }
      }
    }),
  }),
  response: z.array(providerSettingSchema),
});
