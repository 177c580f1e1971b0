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
