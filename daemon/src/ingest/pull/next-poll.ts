import { type ProviderId, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@healthd/model';
import { type CloudProvider, losesReports } from '@healthd/providers';
import { type Connection, countActive, type ProviderSetting, requestsPerDay } from '../../connections/index.js';
import { isNotified } from './pull-context.js';
import type { PullServices, PullSettings } from './pull-services.js';

/** Poll interval of accounts without data. */
const UNLINKED_SECONDS = 6 * SECONDS_PER_HOUR;
/** Maximum share of an application's quota for polling. The rest is for waiting callers, webhooks and backfills. */
const POLLING_SHARE = 0.5;

/** Seconds between two polls of one connection. */
export interface PollIntervals {
  /** Interval for a connection whose account has data. */
  linked: number;
  /** Interval for a connection whose account has no data. */
  unlinked: number;
  /** Interval for data types that the vendor also reports, because its reports may get lost. */
  reconciled: number;
  /** Number of connections that can be polled. */
  connections: number;
  /** True if polling at the configured interval would exceed the share of the quota. */
  isStretched: boolean;
}

/** Returns the current intervals for the existing connections. */
export async function pollIntervals(
  { pool, connections, settings }: Pick<PullServices, 'pool' | 'connections' | 'settings'>,
  provider: ProviderId,
  use: ProviderSetting,
): Promise<PollIntervals> {
  const cloud = connections.configurationOf(provider)?.cloud;
  return intervalsOf({ cloud, count: await countActive(pool, provider), isWebhook: isNotified(use), settings });
}

/**
 * Returns the configured intervals, or longer intervals if the vendor's quota is too small for this many connections. A
 * poll costs at least one request per data type, or the number that the data type declares.
 */
export function intervalsOf({
  cloud,
  count,
  isWebhook,
  settings,
}: {
  cloud: Pick<CloudProvider, 'quotas' | 'pull' | 'webhook' | 'deliveries'> | undefined;
  count: number;
  /** True if the vendor reports changes, so that other intervals apply than in pull mode. */
  isWebhook: boolean;
  settings: Pick<PullSettings, 'syncIntervalSeconds' | 'webhookPollSeconds'>;
}): PollIntervals {
  const usualSeconds = isWebhook ? settings.webhookPollSeconds : settings.syncIntervalSeconds;
  const types = cloud?.pull?.dataTypes ?? [];
  const affordable = (requests: number) =>
    cloud ? (count * requests * SECONDS_PER_DAY) / (POLLING_SHARE * requestsPerDay(cloud.quotas, count)) : 0;
  const requestsOf = (some: typeof types) => some.reduce((sum, { requestsPerPoll = 1 }) => sum + requestsPerPoll, 0);
  const reported = isWebhook ? requestsOf(types.filter(({ notified }) => notified)) : 0;
  // If reported data types are polled too, reported and unreported data types each get half of the polling share.
  const sharers = reported > 0 && cloud && losesReports(cloud) ? 2 : 1;
  const linked = Math.max(usualSeconds, affordable(sharers * (requestsOf(types) - reported)));
  const reconciled = Math.max(SECONDS_PER_DAY, affordable(sharers * reported));
  const unlinked = Math.max(linked, UNLINKED_SECONDS);
  return { linked, unlinked, reconciled, connections: count, isStretched: linked > usualSeconds };
}

/** Returns the earliest time of the next scheduled poll; undefined if the schedule does not poll. */
export async function nextPollAt(
  services: Pick<PullServices, 'pool' | 'connections' | 'settings' | 'now'>,
  { status, hasTokens, provider, accountState, polledAt }: Connection,
): Promise<Date | undefined> {
  const { connections, now } = services;
  if (status !== 'active' || !hasTokens || !connections.configurationOf(provider)?.cloud.pull) return undefined;
  const use = await connections.settingOf(provider);
  if (!use.isEnabled) return undefined;
  const { linked, unlinked } = await pollIntervals(services, provider, use);
  const seconds = accountState === 'linked' ? linked : unlinked;
  const dueMs = polledAt === undefined ? 0 : polledAt.getTime() + seconds * 1_000;
  return new Date(Math.max(now().getTime(), dueMs));
}
