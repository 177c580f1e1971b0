import { SECONDS_PER_HOUR } from '@healthd/model';
import type { Connection, ProviderSetting } from '../../connections/index.js';
import type { PullServices, PullSettings } from './pull-services.js';
import { isNotified } from './pull-turn.js';

/** Accounts without data are asked this often. */
const UNLINKED_SECONDS = 6 * SECONDS_PER_HOUR;

/** Seconds between two polls of a connection whose account has data, and of one whose account has none. */
export function pollIntervals(use: ProviderSetting, settings: PullSettings): { linked: number; unlinked: number } {
  const linked = isNotified(use) ? settings.webhookPollSeconds : settings.syncIntervalSeconds;
  return { linked, unlinked: Math.max(linked, UNLINKED_SECONDS) };
}

/** When the schedule asks the vendor again, at the earliest; undefined where it does not. */
export async function nextPollAt(
  { connections, settings, now }: Pick<PullServices, 'connections' | 'settings' | 'now'>,
  { status, hasTokens, provider, accountState, polledAt }: Connection,
): Promise<Date | undefined> {
  if (status !== 'active' || !hasTokens || !connections.configurationOf(provider)?.cloud.pull) return undefined;
  const use = await connections.settingOf(provider);
  if (!use.isEnabled) return undefined;
  const { linked, unlinked } = pollIntervals(use, settings);
  const seconds = accountState === 'linked' ? linked : unlinked;
  const dueMs = polledAt === undefined ? 0 : polledAt.getTime() + seconds * 1_000;
  return new Date(Math.max(now().getTime(), dueMs));
}
