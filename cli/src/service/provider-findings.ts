import { getConfig, getProvider, listProviders } from '@healthd/contract';
import type { ProviderDetailResponse, ProviderSettingResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { isSameService } from '../profile/connection.js';
import { countText, durationText, numberText } from '../ui/amounts.js';
import { type Finding, failureFinding, ok, skipped, warning } from './findings.js';

/**
 * Checks the configured clouds: webhooks, remaining quotas, redirect URL, and how far syncs reach back.
 * @param ownAddress URL that the service reports as its own
 */
export async function providerFindings(cli: Cli, ownAddress: string | undefined): Promise<Finding[]> {
  try {
    const client = await cli.client();
    const query = { cloud_only: true, include_unconfigured: true };
    const all = await client.call(listProviders, { query, signal: cli.signal });
    const providers = all.filter(({ is_enabled, is_configured }) => is_enabled && is_configured);
    if (providers.length === 0) return [skipped('providers', 'no vendor’s cloud is configured')];
    const details = await Promise.all(
      providers.map(({ provider }) =>
        client.call(getProvider, { params: { provider: provider as 'google' }, signal: cli.signal }),
      ),
    );
    const missing = all.filter(({ is_enabled, is_configured }) => is_enabled && !is_configured);
    return [
      ok('credentials', credentialsText(providers, missing)),
      await redirectFinding(cli, providers, ownAddress),
      ...providers.map(deliveryFinding),
      ...details.flatMap(quotaFinding),
      await lookbackFinding(cli),
    ];
  } catch (error) {
    return [failureFinding('providers', error)];
  }
}

function credentialsText(
  providers: readonly ProviderSettingResponse[],
  missing: readonly ProviderSettingResponse[],
): string {
  const names = (list: readonly ProviderSettingResponse[]) => list.map(({ provider }) => provider).join(', ');
  return `set for ${names(providers)}${missing.length === 0 ? '' : `; not for ${names(missing)}`}`;
}

/** Checks the service's own URL, to which vendors redirect users. */
async function redirectFinding(
  cli: Cli,
  providers: readonly ProviderSettingResponse[],
  ownAddress: string | undefined,
): Promise<Finding> {
  if (ownAddress === undefined) return skipped('redirects', 'the service does not report its own URL');
  const origin = new URL(ownAddress).origin;
  const addresses = providers.map(({ provider }) => `${origin}/api/v1/oauth/${provider}/callback`).join(', ');
  const { url } = await cli.connection();
  if (isSameService(origin, url)) return ok('redirects', `register these URLs at the vendors: ${addresses}`);
  return warning(
    'redirects',
    `vendors redirect users to ${origin}, but you reach the service at ${url}`,
    `If users cannot reach ${origin} either, set API_BASE_URL to the URL that they can reach.`,
  );
}

/** Describes how a provider's new data arrives. */
export function deliveryFinding(setting: ProviderSettingResponse): Finding {
  const { provider, live_sync_mode, live_sync_configurable, subscriber_state, subscriber_error } = setting;
  if (live_sync_mode !== 'webhook') return ok('provider', `${provider} is polled`);
  if (subscriber_state === 'active') return ok('provider', `${provider} sends webhooks`);
  if (!live_sync_configurable && subscriber_state === null) {
    return ok('provider', `${provider} sends the data to the URLs that are entered at the vendor`);
  }
  const why = subscriber_error === null ? '' : ` (${subscriber_error})`;
  return warning(
    'provider',
    `${provider} is in webhook mode, but its subscriber is ${subscriber_state ?? 'unknown'}${why}; the service polls the vendor until the subscriber is active`,
    `healthctl subscribers list ${provider}`,
  );
}

function quotaFinding({ provider, request_quota: quota }: ProviderDetailResponse): Finding[] {
  if (!quota) return [];
  const spent = quota.windows.find(({ left }) => left <= 0);
  const advice = `healthctl providers show ${provider}`;
  if (spent) {
    const found = `${provider}: the ${numberText(spent.limit)} requests in ${durationText(spent.window_seconds)} are used up; waiting syncs continue automatically`;
    return [warning('quota', found, advice)];
  }
  if (quota.users_served !== null && quota.users_served < quota.active_connections) {
    const found = `${provider}: the quota covers ${countText(quota.users_served, 'user')}, but ${numberText(quota.active_connections)} are connected`;
    return [warning('quota', found, advice)];
  }
  return [ok('quota', `${provider}: ${countText(quota.requests_last_day, 'request')} in the last day`)];
}

async function lookbackFinding(cli: Cli): Promise<Finding> {
  try {
    const { pull_sync_lookback_seconds: seconds } = await (await cli.client()).call(getConfig, { signal: cli.signal });
    if (seconds !== null) return ok('lookback', `syncs reach back ${durationText(seconds)}`);
    return ok(
      'lookback',
      'syncs reach back two to seven days, depending on the data type; PULL_SYNC_LOOKBACK extends this',
    );
  } catch {
    return skipped('lookback', 'needs a developer\u2019s login');
  }
}
