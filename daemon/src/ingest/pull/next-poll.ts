import { type ProviderId, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@healthd/model';
import { type CloudProvider, losesReports } from '@healthd/providers';
import { type Connection, countActive, type ProviderSetting, requestsPerDay } from '../../connections/index.js';
import { isNotified } from './pull-context.js';
import type { PullServices, PullSettings } from './pull-services.js';

/** Accounts without data are asked this often. */
const UNLINKED_SECONDS = 6 * SECONDS_PER_HOUR;
/** Polling takes this share of an application's quota at most; the rest is for those who wait, webhooks and the past. */
const POLLING_SHARE = 0.5;

/** Seconds between two polls of one connection. */
export interface PollIntervals {
  /** Of a connection whose account has data. */
  linked: number;
  /** Of one whose account has none. */
  unlinked: number;
  /** Of what the vendor reports too, where its reports may be lost. */
  reconciled: number;
  /** Connections that can be polled. */
  connections: number;
  /** Whether polling as often as the operator set would take too much of the quota. */
  isStretched: boolean;
}

/** As of now, with the connections that there are. */
export async function pollIntervals(
  { pool, connections, settings }: Pick<PullServices, 'pool' | 'connections' | 'settings'>,
  provider: ProviderId,
  use: ProviderSetting,
): Promise<PollIntervals> {
  const cloud = connections.configurationOf(provider)?.cloud;
  return intervalsOf({ cloud, count: await countActive(pool, provider), isWebhook: isNotified(use), settings });
}

/**
 * As the operator set them, and longer where the vendor's quota is too small for so many connections: a poll takes one
 * request for each kind of data at the least, and more where the kind says so.
 */
export function intervalsOf({
  cloud,
  count,
  isWebhook,
  settings,
}: {
  cloud: Pick<CloudProvider, 'quotas' | 'pull' | 'webhook' | 'deliveries'> | undefined;
  count: number;
  /** Whether the vendor reports changes, so that only the rest is polled. */
  isWebhook: boolean;
  settings: Pick<PullSettings, 'syncIntervalSeconds' | 'webhookPollSeconds'>;
}): PollIntervals {
  const wanted = isWebhook ? settings.webhookPollSeconds : settings.syncIntervalSeconds;
  const types = cloud?.pull?.dataTypes ?? [];
  const affordable = (requests: number) =>
    cloud ? (count * requests * SECONDS_PER_DAY) / (POLLING_SHARE * requestsPerDay(cloud.quotas, count)) : 0;
  const requestsOf = (some: typeof types) => some.reduce((sum, { requestsPerPoll = 1 }) => sum + requestsPerPoll, 0);
  const reported = isWebhook ? requestsOf(types.filter(({ notified }) => notified)) : 0;
  // What is reported and polled all the same takes half of the share.
  const sharers = reported > 0 && cloud && losesReports(cloud) ? 2 : 1;
  const linked = Math.max(wanted, affordable(sharers * (requestsOf(types) - reported)));
  const reconciled = Math.max(SECONDS_PER_DAY, affordable(sharers * reported));
  const unlinked = Math.max(linked, UNLINKED_SECONDS);
  return { linked, unlinked, reconciled, connections: count, isStretched: linked > wanted };
}

/** When the schedule asks the vendor again, at the earliest; undefined where it does not. */
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
