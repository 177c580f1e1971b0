import type { Provider } from '@healthd/providers';
import type { ConnectionResponse } from '@healthd/schemas';
import type { ConfiguredCloud, ProviderSetting } from '../connections.js';
import type { Connection } from './connection.js';
import { isGranted } from './granted.js';

/** What a connection's answer needs beside its row. */
export interface AnswerContext {
  /** Undefined while the provider has no adapter. */
  provider: Provider | undefined;
  configured: ConfiguredCloud | undefined;
  use: ProviderSetting;
  linkedUserIds: readonly string[];
  /** When the vendor is asked again, where something is wrong. */
  nextTryAt: Date | undefined;
}

/** Where the icon of a provider is served. */
export function iconUrl(provider: string): string {
  return `/static/provider-icons/${provider}.svg`;
}

/** A connection as callers see it; never its tokens. */
export function connectionResponse(connection: Connection, context: AnswerContext): ConnectionResponse {
  const { provider, configured, use, linkedUserIds, nextTryAt } = context;
  const webhook = provider?.cloud?.webhook?.kind;
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
    webhook_stream: webhook === 'stream',
    webhook_ping: webhook === 'ping',
    webhook_callback: false,
    live_sync_mode: use.liveSyncMode ?? null,
    linked_user_ids: [...linkedUserIds],
    status_reason: connection.statusReason ?? null,
    account_state: connection.accountState,
    time_zone: connection.timeZone ?? null,
    has_authorization: connection.hasTokens,
    ...missingConsent(connection, configured),
  };
}

/** What the person was asked for and did not grant, as far as data depend on it. */
export function missingConsent(
  { hasTokens, grantedScopes }: Connection,
  configured: ConfiguredCloud | undefined,
): Pick<ConnectionResponse, 'missing_scopes' | 'missing_data_types'> {
  const dataTypes = configured?.cloud.pull?.dataTypes ?? [];
  if (!hasTokens || !configured) return { missing_scopes: [], missing_data_types: [] };
  const needed = new Set(dataTypes.flatMap(({ scopes }) => scopes));
  const asked = configured.configuration.scope.split(/\s+/);
  return {
    missing_scopes: asked.filter((scope) => needed.has(scope) && !grantedScopes.has(scope)),
    missing_data_types: dataTypes.filter(({ scopes }) => !isGranted(scopes, grantedScopes)).map(({ id }) => id),
  };
}
