import { LIVE_SYNC_MODES } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import {
  getProvider,
  listProviders,
  type ProviderSettingResponse,
  type RequestQuotaResponse,
  updateProvider,
  updateProviders,
} from '@healthd/schemas';
import {
  iconUrl,
  isConfigurable,
  type ListedProvider,
  type ProviderSwitchServices,
  type QuotaUse,
  switchProvider,
} from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind } from '../binding.js';

export interface ProviderRoutesServices extends ProviderSwitchServices {
  /** Returns the used quota; undefined for providers without a cloud or without credentials. */
  quotaUseOf(provider: ProviderId): Promise<QuotaUse | undefined>;
}

/** Routes for providers and their settings. */
export function providerRoutes(services: ProviderRoutesServices): Binding[] {
  const { uses, quotaUseOf } = services;
  return [
    bind(listProviders, async ({ query }) => {
      const listed = await uses.list();
      return listed
        .filter(({ use }) => use.isEnabled || !query.enabled_only)
        .filter(({ provider }) => provider.cloud || !query.cloud_only)
        .filter((one) => query.include_unconfigured || isUsable(one))
        .map(providerResponse);
    }),
    bind(getProvider, async ({ params: { provider } }) => {
      const use = await quotaUseOf(provider);
      return { ...providerResponse(await uses.get(provider)), request_quota: use ? quotaResponse(use) : null };
    }),
    bind(updateProvider, async ({ params, body }) =>
      providerResponse(
        await switchProvider(services, params.provider, {
          isEnabled: body.is_enabled ?? undefined,
          liveSyncMode: liveSyncModeIn(body.live_sync_mode),
          granularity: body.data_granularity,
        }),
      ),
    ),
    bind(updateProviders, async ({ body }) => {
      const changes = Object.entries(body.providers) as [ProviderId, boolean][];
      // Looks up all providers first, so that an unknown provider changes nothing.
      for (const [id] of changes) uses.provider(id);
      for (const [id, isEnabled] of changes) await uses.change(id, { isEnabled });
      return (await uses.list()).filter(isUsable).map(providerResponse);
    }),
  ];
}

/** Parses `live_sync_mode`. Rejects it with 400 in every error format, as clients expect. */
function liveSyncModeIn(value: unknown): (typeof LIVE_SYNC_MODES)[number] | undefined {
  if (value === undefined) return undefined;
  if (value === null) {
    throw new Failure('bad_request', 'live_sync_mode cannot be null; omit it to keep its value');
  }
  const mode = LIVE_SYNC_MODES.find((known) => known === value);
  if (!mode) throw new Failure('bad_request', "Input should be 'pull' or 'webhook'");
  return mode;
}

/** True if the provider can be used: a cloud needs credentials, a phone or a file does not. */
function isUsable({ provider, isConfigured }: ListedProvider): boolean {
  return provider.capabilities.push || provider.capabilities.file || isConfigured;
}

function providerResponse(listed: ListedProvider): ProviderSettingResponse {
  const { provider, use } = listed;
  return {
    provider: provider.id,
    name: provider.displayName,
    has_cloud_api: provider.cloud !== undefined,
    is_enabled: use.isEnabled,
    icon_url: iconUrl(provider.id),
    live_sync_mode: use.liveSyncMode ?? null,
    live_sync_configurable: isConfigurable(provider),
    data_granularity: listed.ownGranularity ?? null,
    is_configured: provider.cloud === undefined || listed.isConfigured,
    subscriber_state: use.subscriberState ?? null,
    subscriber_error: listed.subscriberError ?? null,
  };
}

function quotaResponse({ windows, ...use }: QuotaUse): RequestQuotaResponse {
  return {
    windows: windows.map(({ seconds, limit, spent, left, refilledAt }) => ({
      window_seconds: seconds,
      limit,
      spent,
      left,
      refilled_at: refilledAt?.toISOString() ?? null,
    })),
    active_connections: use.activeConnections,
    requests_last_day: use.requestsLastDay,
    requests_per_user_and_day: use.requestsPerUserAndDay ?? null,
    users_served: use.usersServed ?? null,
    waiting: use.waiting,
  };
}
