import type { ProviderId } from '@healthd/model';
import { providerById } from '@healthd/providers';
import type { SimulatedVendor } from './simulated-day.js';

/** What a person's data make happen in a day, by vendor: those of the three that the registry has. */
const HABITS: readonly (Pick<SimulatedVendor, 'reports' | 'backfillRequests'> & { provider: ProviderId })[] = [
  // Reports of several kinds of data are joined into one run, whenever the phone synchronizes.
  { provider: 'google', reports: { perUser: 4, requests: 2 }, backfillRequests: 60 },
  // A night, its recovery, a workout and an edit; a recovery takes the sleep beside it.
  { provider: 'whoop', reports: { perUser: 4, requests: 2 }, backfillRequests: 20 },
  // The reports carry the data; the past is requested type by type.
  { provider: 'garmin', reports: { perUser: 0, requests: 0 }, backfillRequests: 30 },
];

/** The vendors of a day with this many connections in equal parts. */
export function simulatedVendors(connections: number): SimulatedVendor[] {
  const known = HABITS.flatMap(({ provider, ...habits }) => {
    const cloud = providerById(provider)?.cloud;
    return cloud ? [{ provider, cloud, ...habits }] : [];
  });
  const each = Math.round(connections / known.length);
  return known.map((vendor) => ({ ...vendor, connections: each, manualShare: 0.03, newShare: 0.005 }));
}
