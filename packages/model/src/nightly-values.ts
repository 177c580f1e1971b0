import type { ProviderId } from './providers.js';

/**
 * Providers that report one resting heart rate, variability and saturation per night. The timestamp is the time at
 * which the vendor computed the value, from minutes before the night to hours after the night.
 */
const NIGHTLY: ReadonlySet<string> = new Set<ProviderId>(['whoop', 'suunto', 'polar']);

/** True if the provider's variability and saturation are values of a whole night. */
export function measuresOncePerNight(provider: string): boolean {
  return NIGHTLY.has(provider);
}
