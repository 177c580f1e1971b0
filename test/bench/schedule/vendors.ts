import type { ProviderId } from '@healthd/model';
import { providerById } from '@healthd/providers';
import type { SimulatedVendor } from './simulated-day.js';

/** Daily activity of a user's account at three vendors. */
const HABITS: readonly (Pick<SimulatedVendor, 'reports' | 'backfillRequests'> & { provider: ProviderId })[] = [
  // One run processes the reports of several data types after the phone syncs.
  { provider: 'google', reports: { perUser: 4, requests: 2 }, backfillRequests: 60 },
  // A night, its recovery, a workout and an edit. The run of a recovery also reads its sleep.
  { provider: 'whoop', reports: { perUser: 4, requests: 2 }, backfillRequests: 20 },
  // The reports contain the data. The backfill requests each data type.
  { provider: 'garmin', reports: { perUser: 0, requests: 0 }, backfillRequests: 30 },
];

/** Returns the vendors of a day. The connections are divided equally. */
export function simulatedVendors(connections: number): SimulatedVendor[] {
  const known = HABITS.flatMap(({ provider, ...habits }) => {
    const cloud = providerById(provider)?.cloud;
    return cloud ? [{ provider, cloud, ...habits }] : [];
  });
  const each = Math.round(connections / known.length);
  return known.map((vendor) => ({ ...vendor, connections: each, manualShare: 0.03, newShare: 0.005 }));
}
