import { DATA_GRANULARITIES, LIVE_SYNC_MODES } from '@healthd/contract';
import { INTEGRATED_PROVIDER_IDS } from '@healthd/model';
import { z } from 'zod';
import { boolParam } from '../parameters.js';
import { problem } from '../problem.js';
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

/** Null and unknown modes are refused with 400 in every error format, by the route itself. */
const liveSyncMode = z
  .unknown()
  .meta({ enum: LIVE_SYNC_MODES, type: 'string', description: 'Left out: stays as it is. Null is refused.' });

export const providerSettingsRouteSchemas = {
  listProviders: {
    query: z.object({
      enabled_only: boolParam(false),
      cloud_only: boolParam(false),
      include_unconfigured: boolParam(false),
    }),
    response: z.array(providerSettingSchema),
  },
  updateProvider: {
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
  },
  updateProviders: {
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
  },
};
