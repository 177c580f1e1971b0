import { INTEGRATED_PROVIDER_IDS, type IntegratedProviderId, type ProviderId } from '@healthd/model';
import { APPLE } from './apple/index.js';
import { GOOGLE } from './google/index.js';
import type { Provider } from './provider.js';
import { SAMSUNG } from './samsung/index.js';
import { WHOOP } from './whoop/index.js';

const ADAPTERS: Readonly<Record<IntegratedProviderId, Provider>> = {
  apple: APPLE,
  samsung: SAMSUNG,
  google: GOOGLE,
  whoop: WHOOP,
};

/** Every provider that has an adapter, in the order of the contract. */
export const PROVIDERS: readonly Provider[] = INTEGRATED_PROVIDER_IDS.map((id) => ADAPTERS[id]);

/** The provider of that id, or undefined while it has no adapter. */
export function providerById(id: ProviderId): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}
