import type { ProviderId } from '@healthd/model';
import { providerById } from '@healthd/providers';
import type { SimulatedVendor } from './simulated-day.js';

/** Daily events of a user's data, by vendor, for three vendors of the registry. */
const HABITS: readonly (Pick<SimulatedVendor, 'reports' | 'backfillRequests'> & { provider: ProviderId })[] = [
  // Reports of several data types are joined into one run when the phone syncs.
  { provider: 'google', reports: { perUser: 4, requests: 2 }, backfillRequests: 60 },
  // A night, its recovery, a workout and an edit; a recovery includes its sleep.
  { provider: 'whoop', reports: { perUser: 4, requests: 2 }, backfillRequests: 20 },
  // The reports carry the data; history is requested type by type.
  { provider: 'garmin', reports: { perUser: 0, requests: 0 }, backfillRequests: 30 },
];

/** Returns the vendors of a day with this many connections in equal parts. */
export function simulatedVendors(connections: number): SimulatedVendor[] {
  const known = HABITS.flatMap(({ provider, ...habits }) => {
    const cloud = providerById(provider)?.cloud;
    return cloud ? [{ provider, cloud, ...habits }] : [];
  });
  const each = Math.round(connections / known.length);
  return known.map((vendor) => ({ ...vendor, connections: each, manualShare: 0.03, newShare: 0.005 }));
}
