import type { ProviderId } from './providers.js';

/**
 * Providers whose resting heart rate, variability and saturation are one value for a night, stamped when the vendor
 * computed it: from some minutes before the night to hours after it.
 */
const NIGHTLY: ReadonlySet<string> = new Set<ProviderId>(['whoop', 'suunto', 'polar']);

/** Whether variability and saturation of a provider are values of a whole night. */
export function measuresOncePerNight(provider: string): boolean {
  return NIGHTLY.has(provider);
}
