import { type DeviceType, deviceType, type ProviderId } from '@healthd/model';
import type { PushedSource } from './pushed-source.js';

/** Words of the clients for devices that the unified types call otherwise. */
const DECLARED_TYPES: Readonly<Record<string, DeviceType>> = {
  fitness_band: 'band',
  chest_strap: 'other',
  head_mounted: 'other',
  smart_display: 'other',
};

/** What kind of device measured: what the client declares, else what model or names say. */
export function pushedDeviceType(source: PushedSource, provider: ProviderId): DeviceType {
  const declared = source.deviceType?.toLowerCase();
  return deviceType({
    declared: declared !== undefined && Object.hasOwn(DECLARED_TYPES, declared) ? DECLARED_TYPES[declared] : declared,
    model: source.deviceModel,
    sourceName: source.name ?? source.deviceName,
    provider,
  });
}
