import { seriesTypeIds } from '@healthd/model';

/**
 * Metrics that come from one source each day. The first is the lead: only sources that have it may win the day, so that
 * a chest strap that knows nothing but heart rate cannot empty the steps. Where no one has it, the next one leads.
 */
export const FAMILIES = {
  movement: seriesTypeIds(['steps', 'distance_walking_running', 'flights_climbed', 'active_time']),
  energy: seriesTypeIds(['energy', 'basal_energy']),
  heart: seriesTypeIds(['heart_rate']),
} as const;
export type Family = keyof typeof FAMILIES;

/** Series that the activity summary reads. */
export const ACTIVITY_TYPES: readonly number[] = Object.values(FAMILIES).flat();
