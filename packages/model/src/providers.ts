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
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Those that have an adapter, in the same order; texts and the API's document name no others. */
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
] as const satisfies readonly ProviderId[];
export type IntegratedProviderId = (typeof INTEGRATED_PROVIDER_IDS)[number];

/** Used in answers where no provider could be recognised. */
export const UNKNOWN_PROVIDER = 'unknown';
/** Used in answers for values that the service computed itself. */
export const INTERNAL_PROVIDER = 'internal';
/** What the provider member of an answer may hold. */
export type ProviderLabel = ProviderId | typeof UNKNOWN_PROVIDER | typeof INTERNAL_PROVIDER;

/** Names as people know them. */
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
};

/** True when `text` is exactly one of {@link PROVIDER_IDS}. */
export function isProviderId(text: string): text is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(text);
}

/** The first provider whose id stands anywhere in a free text, else `unknown`. */
export function providerFromText(text: string): ProviderId | typeof UNKNOWN_PROVIDER {
  const lower = text.toLowerCase();
  return PROVIDER_IDS.find((id) => lower.includes(id)) ?? UNKNOWN_PROVIDER;
}
