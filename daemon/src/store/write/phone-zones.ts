import { loadFallbackZone, loadHomeZone } from '../facts/offsets/fallback-zone.js';
import type { TimelineChange } from '../facts/offsets/offset-days.js';
import { requestRedating } from '../facts/pending-repairs.js';
import type { BatchContext } from './load-context.js';

/**
 * Stores the phones' home time zone with their connections and redates items if that changes the effective zone. The
 * batch's spans must be stored.
 * @returns the change of the timeline in the new effective zone
 */
export async function storePhoneZones(
  { client, userKey, hooks }: BatchContext,
  change: TimelineChange,
): Promise<TimelineChange> {
  const { before, after, newSightings } = change;
  const providers = [...new Set(newSightings.map(({ provider }) => provider))];
  const home = providers.length === 0 ? undefined : await loadHomeZone(client, userKey);
  if (home === undefined) return change;
  if (!(await hooks.storePhoneZone(client, { userKey, providers, zone: home }))) return change;
  const zone = await loadFallbackZone(client, userKey);
  if (zone === before.fallbackZone) return change;
  await requestRedating(client, userKey);
  return { ...change, after: after.inZone(zone) };
}
