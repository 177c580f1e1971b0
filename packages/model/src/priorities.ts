import type { DeviceType } from './device-types.js';
import type { ProviderId } from './providers.js';

/** Which provider wins until someone changes it; lower wins. Providers not listed are appended when first seen. */
export const DEFAULT_PROVIDER_PRIORITIES = {
  apple: 1,
  garmin: 2,
  polar: 3,
  suunto: 4,
  whoop: 5,
} as const satisfies Partial<Record<ProviderId, number>>;

/** Which device wins among sources of one provider until someone changes it; lower wins. */
export const DEFAULT_DEVICE_TYPE_PRIORITIES = {
  watch: 1,
  band: 2,
  ring: 3,
  phone: 4,
  scale: 5,
  other: 6,
} as const satisfies Record<Exclude<DeviceType, 'unknown'>, number>;

/** Priority of a provider or device type that has none. */
export const ABSENT_PRIORITY = 99;
