import { INTEGRATED_PROVIDER_IDS, type IntegratedProviderId, type ProviderId } from '@healthd/model';
import { APPLE } from './apple/index.js';
import { GARMIN } from './garmin/index.js';
import { GOOGLE } from './google/index.js';
import { OURA } from './oura/index.js';
import { POLAR } from './polar/index.js';
import type { Provider } from './provider.js';
import { SAMSUNG } from './samsung/index.js';
import { STRAVA } from './strava/index.js';
import { SUUNTO } from './suunto/index.js';
import { ULTRAHUMAN } from './ultrahuman/index.js';
import { WHOOP } from './whoop/index.js';
import { WORKOUT_FILES } from './workout-files/index.js';

const ADAPTERS: Readonly<Record<IntegratedProviderId, Provider>> = {
  apple: APPLE,
  samsung: SAMSUNG,
  garmin: GARMIN,
  google: GOOGLE,
  polar: POLAR,
  suunto: SUUNTO,
  whoop: WHOOP,
  strava: STRAVA,
  oura: OURA,
  ultrahuman: ULTRAHUMAN,
  workout_files: WORKOUT_FILES,
};

/** All providers with an adapter, in the order of the contract. */
export const PROVIDERS: readonly Provider[] = INTEGRATED_PROVIDER_IDS.map((id) => ADAPTERS[id]);

/** Returns the provider with this id; undefined if it has no adapter. */
export function providerById(id: ProviderId): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}
