import type { Provider } from '@healthd/providers';
import type { ConnectionResponse } from '@healthd/schemas';
import type { ConfiguredCloud, ProviderSetting } from '../connections.js';
import type { Connection } from './connection.js';
import { consentedTypes, isGranted } from './granted.js';

/** Data of a connection's API form in addition to its row. */
export interface ResponseContext {
  /** Undefined if the provider has no adapter. */
  provider: Provider | undefined;
  configured: ConfiguredCloud | undefined;
  use: ProviderSetting;
  linkedUserIds: readonly string[];
  /** Time of the next vendor request after a failure. */
  nextTryAt: Date | undefined;
}

/** Returns the URL path of a provider's icon. */
export function iconUrl(provider: string): string {
  return `/static/provider-icons/${provider}.svg`;
}

/** Converts a connection to its API form, without its tokens. */
export function connectionResponse(connection: Connection, context: ResponseContext): ConnectionResponse {
  const { provider, configured, use, linkedUserIds, nextTryAt } = context;
  const cloud = provider?.cloud;
  return {
    id: connection.id,
    user_id: connection.userId,
    provider: connection.provider,
    provider_user_id: connection.providerUserId ?? null,
    provider_username: connection.providerUsername ?? null,
    scope: connection.scope ?? null,
    status: connection.status,
    last_synced_at: connection.lastSyncedAt?.toISOString() ?? null,
    last_error: connection.lastError ?? null,
    last_error_at: connection.lastErrorAt?.toISOString() ?? null,
    failing_since: connection.failingSince?.toISOString() ?? null,
    next_try_at: nextTryAt?.toISOString() ?? null,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
    icon_url: provider ? iconUrl(connection.provider) : null,
    max_historical_days: provider?.maxHistoricalDays ?? null,
    rest_pull: provider?.capabilities.pull ?? false,
    webhook_stream: cloud?.deliveries !== undefined,
    webhook_ping: cloud?.webhook !== undefined,
    webhook_callback: cloud?.exports !== undefined,
    live_sync_mode: use.liveSyncMode ?? null,
    linked_user_ids: [...linkedUserIds],
    status_reason: connection.statusReason ?? null,
    account_state: connection.accountState,
    time_zone: connection.timeZone ?? null,
    has_authorization: connection.hasTokens,
    ...missingConsent(connection, configured),
  };
}

/** Returns the requested scopes and data types that the user did not grant and that affect data. */
export function missingConsent(
  { hasTokens, scope, grantedScopes }: Connection,
  configured: ConfiguredCloud | undefined,
): Pick<ConnectionResponse, 'missing_scopes' | 'missing_data_types'> {
  if (!hasTokens || !configured) return { missing_scopes: [], missing_data_types: [] };
  const { cloud, configuration } = configured;
  // Lists nothing as missing if the vendor has not reported the granted scope with the account's identity yet.
  const isUnknown = cloud.oauth.grantedBy === 'identity' && scope === undefined;
  if (isUnknown) return { missing_scopes: [], missing_data_types: [] };
  const dataTypes = consentedTypes(cloud);
  const needed = new Set(dataTypes.flatMap(({ scopes }) => scopes));
  if (cloud.exports !== undefined) needed.add(cloud.exports.scope);
  const requestedScopes = cloud.oauth.grantedBy === 'identity' ? [...needed] : configuration.scope.split(/\s+/);
  // Reports a missing refresh scope even if the operator did not request it. Without it, the connection ends when the
  // access token expires.
  const { refreshScope } = cloud.oauth;
  const renewal = refreshScope === undefined || grantedScopes.has(refreshScope) ? [] : [refreshScope];
  const missingTypes = dataTypes.filter(({ scopes }) => !isGranted(scopes, grantedScopes)).map(({ id }) => id);
  return {
    missing_scopes: [...renewal, ...requestedScopes.filter((one) => needed.has(one) && !grantedScopes.has(one))],
    missing_data_types: [...renewal, ...missingTypes],
  };
}
