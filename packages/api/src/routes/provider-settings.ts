import { INTEGRATED_PROVIDER_IDS } from '@healthd/model';
import { z } from 'zod';
import { boolParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';
import { LIVE_SYNC_MODES } from './connections.js';

/** How fine the data are that a provider is asked for. */
export const DATA_GRANULARITIES = ['daily', 'hourly', 'raw'] as const;

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
      .meta({ description: 'Whether the vendor tells of changes, in webhook mode; polling goes on until it does' }),
    subscriber_error: z.string().nullable().meta({ description: 'Code of what went wrong when it has failed' }),
  })
  .meta({ id: 'ProviderSetting' });
export type ProviderSettingResponse = z.infer<typeof providerSettingSchema>;

export const listProviders = defineRoute({
  id: 'listProviders',
  method: 'GET',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Providers and how they are used',
  description: 'Providers that push or take files, and clouds whose OAuth client is set.',
  auth: 'public',
  audit: { exempt: 'settings of the service, no data of a person' },
  query: z.object({
    enabled_only: boolParam(false),
    cloud_only: boolParam(false),
    include_unconfigured: boolParam(false),
  }),
  status: 200,
  response: z.array(providerSettingSchema),
});

/** Null and unknown modes are refused with 400 in every error format, by the route itself. */
const liveSyncMode = z
  .unknown()
  .meta({ enum: LIVE_SYNC_MODES, type: 'string', description: 'Left out: stays as it is. Null is refused.' });

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
  status: 200,
  response: providerSettingSchema,
  errors: [400],
});

export const updateProviders = defineRoute({
  id: 'updateProviders',
  method: 'PUT',
  path: '/api/v1/oauth/providers',
  tag: 'Providers',
  summary: 'Enable and disable several providers',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  body: z.object({
    providers: z.record(z.string(), z.boolean()).superRefine((providers, context) => {
      for (const id of Object.keys(providers)) {
        if (!(INTEGRATED_PROVIDER_IDS as readonly string[]).includes(id)) {
          problem(context as never, 'enum', `Unknown provider: ${id}`);
        }
      }
    }),
  }),
  status: 200,
  response: z.array(providerSettingSchema),
  errors: [400],
});
