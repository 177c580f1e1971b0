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
    has_cloud_api: z.boolean().meta({ description: 'Whether people connect by the vendor\u2019s consent page' }),
    is_enabled: z.boolean(),
    icon_url: z.string().meta({ description: 'Relative to the base address' }),
    live_sync_mode: z.enum(LIVE_SYNC_MODES).nullable(),
    live_sync_configurable: z.boolean(),
    data_granularity: z.enum(DATA_GRANULARITIES).nullable().meta({ description: 'Null: DEFAULT_DATA_GRANULARITY' }),
    is_configured: z.boolean().meta({ description: 'False for a cloud whose OAuth client is not set' }),
    subscriber_state: z
      .enum(['unmanaged', 'registering', 'active', 'failed'])
      .nullable()
      .meta({ description: 'Whether the vendor sends webhooks, in webhook mode; polling goes on until it does' }),
    subscriber_error: z.string().nullable().meta({ description: 'Code of what went wrong when it has failed' }),
  })
  .meta({ id: 'ProviderSetting' });
export type ProviderSettingResponse = z.infer<typeof providerSettingSchema>;

const requestsOf = (what: string) => z.int().meta({ description: `Runs that wait for the quota: ${what}` });

/** What an application's quota at a vendor is used for. */
export const requestQuotaSchema = z
  .object({
    windows: z
      .array(
        z.object({
          window_seconds: z.int().meta({ description: 'Length of the window in seconds' }),
          limit: z.int().meta({ description: 'Requests of all users in the window; less than the vendor allows' }),
          spent: z.int().meta({ description: 'Requests sent in the last `window_seconds`' }),
          left: z.int().meta({ description: 'Requests that may still be sent in the window' }),
          refilled_at: instantSchema.nullable().meta({
            description:
              'When as many requests as may be sent at one time are available again, at the latest; null: they are',
          }),
        }),
      )
      .meta({ description: 'The windows in which the vendor counts' }),
    active_connections: z.int().meta({ description: 'Users who are connected' }),
    requests_last_day: z.int().meta({ description: 'Requests sent in the last 24 hours' }),
    requests_per_user_and_day: z
      .number()
      .nullable()
      .meta({ description: 'Of the last 24 hours; null while there were none or no one is connected' }),
    users_served: z
      .int()
      .nullable()
      .meta({ description: 'Users for whom the quota is enough at that number of requests; null where it is null' }),
    waiting: z
      .object({
        manual: requestsOf('on request'),
        first_sync: requestsOf('the first of a connection'),
        webhook: requestsOf('the vendor reported changes'),
        live: requestsOf('on schedule'),
        backfill: requestsOf('older data'),
      })
      .meta({ description: 'By priority; those further up are served first' }),
  })
  .meta({ id: 'RequestQuota' });
export type RequestQuotaResponse = z.infer<typeof requestQuotaSchema>;

export const providerDetailSchema = providerSettingSchema
  .extend({
    request_quota: requestQuotaSchema
      .nullable()
      .meta({ description: 'Requests to the vendor; null for providers without a cloud or without credentials' }),
  })
  .meta({ id: 'ProviderDetail' });
export type ProviderDetailResponse = z.infer<typeof providerDetailSchema>;

/** Null and unknown modes are refused with 400 in every error format, by the route itself. */
const liveSyncMode = z
  .unknown()
  .meta({ enum: LIVE_SYNC_MODES, type: 'string', description: 'Left out: stays as it is. Null is refused.' });

export const listProviders = defineRoute({
  id: 'listProviders',
  method: 'GET',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Providers and how they are used',
  description: 'Providers that push or take files, and clouds whose OAuth client is set.',
  auth: 'public',
  audit: { exempt: 'settings of the service, no data of a person' },
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
  summary: 'One provider, how it is used and what is left of its quota',
  description:
    'The quota is that of this deployment\u2019s application at the vendor, which all users share. Several processes on one database count together.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { exempt: 'settings of the service, no data of a person' },
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
  summary: 'Change how a provider is used',
  description:
    'What is left out stays. Switching to `webhook` registers this service at the vendor; `subscriber_state` says how that goes, and polling goes on until it is active.',
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
        .meta({ description: 'Null: DEFAULT_DATA_GRANULARITY again' }),
    })
    .prefault({}),
  response: providerSettingSchema,
});

export const updateProviders = defineRoute({
  id: 'updateProviders',
  method: 'PUT',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Enable and disable several providers',
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
