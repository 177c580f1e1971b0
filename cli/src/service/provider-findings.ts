import { getConfig, getProvider, listProviders } from '@healthd/contract';
import type { ProviderDetailResponse, ProviderSettingResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { isSameService } from '../profile/connection.js';
import { countText, durationText, numberText } from '../ui/amounts.js';
import { type Finding, failureFinding, ok, skipped, warning } from './findings.js';

/**
 * The clouds that are set up: whether their webhooks reach the service, what is left of their quotas, where they send
 * people back, and how far pulls reach back.
 * @param ownAddress what the service takes for its own address
 */
export async function providerFindings(cli: Cli, ownAddress: string | undefined): Promise<Finding[]> {
  try {
    const client = await cli.client();
    const query = { cloud_only: true, include_unconfigured: true };
    const all = await client.call(listProviders, { query, signal: cli.signal });
    const providers = all.filter(({ is_enabled, is_configured }) => is_enabled && is_configured);
    if (providers.length === 0) return [skipped('providers', 'no cloud of a vendor is set up')];
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

/** Vendors send people back to the address that the service takes for its own. */
async function redirectFinding(
  cli: Cli,
  providers: readonly ProviderSettingResponse[],
  ownAddress: string | undefined,
): Promise<Finding> {
  if (ownAddress === undefined) return skipped('redirects', 'the service does not say its own address');
  const origin = new URL(ownAddress).origin;
  const addresses = providers.map(({ provider }) => `${origin}/api/v1/oauth/${provider}/callback`).join(', ');
  const { url } = await cli.connection();
  if (isSameService(origin, url)) return ok('redirects', `vendors have to know: ${addresses}`);
  return warning(
    'redirects',
    `vendors send people back to ${origin}, and you reach the service at ${url}`,
    `If people cannot reach ${origin} either, set API_BASE_URL of the service to the address that they can.`,
  );
}

/** How new data of a provider come. */
export function deliveryFinding(setting: ProviderSettingResponse): Finding {
  const { provider, live_sync_mode, live_sync_configurable, subscriber_state, subscriber_error } = setting;
  if (live_sync_mode !== 'webhook') return ok('provider', `${provider} is polled`);
  if (subscriber_state === 'active') return ok('provider', `${provider} sends webhooks`);
  if (!live_sync_configurable && subscriber_state === null) {
    return ok('provider', `${provider} sends the data itself, to the addresses set at the vendor`);
  }
  const why = subscriber_error === null ? '' : ` (${subscriber_error})`;
  return warning(
    'provider',
    `${provider} in webhook mode: subscriber ${subscriber_state ?? 'unknown'}${why}; it is polled meanwhile`,
    `healthctl subscribers list ${provider}`,
  );
}

function quotaFinding({ provider, request_quota: quota }: ProviderDetailResponse): Finding[] {
  if (!quota) return [];
  const spent = quota.windows.find(({ left }) => left <= 0);
  const advice = `healthctl providers show ${provider}`;
  if (spent) {
    const found = `${provider}: the ${numberText(spent.limit)} requests in ${durationText(spent.window_seconds)} are spent; what waits goes on by itself`;
    return [warning('quota', found, advice)];
  }
  if (quota.users_served !== null && quota.users_served < quota.active_connections) {
    const found = `${provider}: enough for ${countText(quota.users_served, 'user')}, and ${numberText(quota.active_connections)} are connected`;
    return [warning('quota', found, advice)];
  }
  return [ok('quota', `${provider}: ${countText(quota.requests_last_day, 'request')} in the last day`)];
}

async function lookbackFinding(cli: Cli): Promise<Finding> {
  try {
    const { pull_sync_lookback_seconds: seconds } = await (await cli.client()).call(getConfig, { signal: cli.signal });
    if (seconds !== null) return ok('lookback', `pulls reach back ${durationText(seconds)}`);
    return ok('lookback', 'pulls reach back two to seven days, by kind of data; PULL_SYNC_LOOKBACK sets more');
  } catch {
    return skipped('lookback', 'needs a developer\u2019s login');
  }
}
