import type { TimelineChange } from '../decide/timeline.js';
import { loadFallbackZone, loadHomeZone } from '../facts/offsets/fallback-zone.js';
import { storeSpans } from '../facts/offsets/timeline-rows.js';
import { requestRedating } from '../facts/pending-repairs.js';
import type { BatchContext } from './load-context.js';

/**
 * Stores the added spans of the timeline. Stores the phones' home time zone in the phones' connections, and requests
 * redating if the effective zone changes.
 * @returns the change of the timeline in the new effective zone
 */
export async function storeTimeline(
  { client, userKey, hooks, options }: BatchContext,
  change: TimelineChange,
): Promise<TimelineChange> {
  const { before, after, addedSpans, newObservations } = change;
  if (options.isDryRun) return change;
  await storeSpans(client, userKey, addedSpans);
  const providers = [...new Set(newObservations.map(({ provider }) => provider))];
  const home = providers.length === 0 ? undefined : await loadHomeZone(client, userKey);
  if (home === undefined) return change;
  if (!(await hooks.storePhoneZone(client, { userKey, providers, zone: home }))) return change;
  const zone = await loadFallbackZone(client, userKey);
  if (zone === before.fallbackZone) return change;
  await requestRedating(client, userKey);
  return { ...change, after: after.inZone(zone) };
}
