/** Providers in the order of the contract's lists and messages. */
export const PROVIDER_IDS = [
  'apple',
  'samsung',
  'garmin',
  'google',
  'polar',
  'suunto',
  'whoop',
  'strava',
  'oura',
  'fitbit',
  'ultrahuman',
  'sensorbio',
  'workout_files',
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Providers with an adapter, in the same order. Messages and the OpenAPI document list only these providers. */
export const INTEGRATED_PROVIDER_IDS = [
  'apple',
  'samsung',
  'garmin',
  'google',
  'polar',
  'suunto',
  'whoop',
  'strava',
  'oura',
  'ultrahuman',
  'workout_files',
] as const satisfies readonly ProviderId[];
export type IntegratedProviderId = (typeof INTEGRATED_PROVIDER_IDS)[number];

/** Provider label in responses if no provider was recognized. */
export const UNKNOWN_PROVIDER = 'unknown';
/** Provider label in responses for values that the service computed. */
export const INTERNAL_PROVIDER = 'internal';
/** Possible values of the provider member in a response. */
export type ProviderLabel = ProviderId | typeof UNKNOWN_PROVIDER | typeof INTERNAL_PROVIDER;

/** Display names of providers. */
export const PROVIDER_NAMES: Readonly<Record<ProviderId, string>> = {
  apple: 'Apple Health',
  samsung: 'Samsung Health',
  garmin: 'Garmin',
  google: 'Google Health',
  polar: 'Polar',
  suunto: 'Suunto',
  whoop: 'Whoop',
  strava: 'Strava',
  oura: 'Oura',
  fitbit: 'Fitbit',
  ultrahuman: 'Ultrahuman',
  sensorbio: 'Sensor Bio',
  workout_files: 'Workout files',
};

/** True when `text` is exactly one of {@link PROVIDER_IDS}. */
export function isProviderId(text: string): text is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(text);
}

/** Returns the first provider whose id occurs in a free text, otherwise `unknown`. */
export function providerFromText(text: string): ProviderId | typeof UNKNOWN_PROVIDER {
  const lower = text.toLowerCase();
  return PROVIDER_IDS.find((id) => lower.includes(id)) ?? UNKNOWN_PROVIDER;
}
