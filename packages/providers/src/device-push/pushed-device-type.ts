import { type DeviceType, deviceType, type ProviderId } from '@healthd/model';
import type { PushedSource } from './pushed-source.js';

/** Device words of the clients that differ from the unified types. */
const DECLARED_TYPES: Readonly<Record<string, DeviceType>> = {
  fitness_band: 'band',
  chest_strap: 'other',
  head_mounted: 'other',
  smart_display: 'other',
};

/** Returns the device's type: the client's declaration, otherwise derived from model, name or provider. */
export function pushedDeviceType(source: PushedSource, provider: ProviderId): DeviceType {
  const declared = source.deviceType?.toLowerCase();
  return deviceType({
    declared: declared !== undefined && Object.hasOwn(DECLARED_TYPES, declared) ? DECLARED_TYPES[declared] : declared,
    model: source.deviceModel,
    sourceName: source.name ?? source.deviceName,
    provider,
  });
}
