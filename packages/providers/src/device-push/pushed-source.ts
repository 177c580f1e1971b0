import { type PayloadObject, textOf } from '../payload/index.js';
import { accessoryName, exactModel, systemVersion } from './pushed-device.js';

/** What an item's `source` says, cleaned; every part may be missing. */
export interface PushedSource {
  /** Id of the writing application. */
  appId?: string;
  name?: string;
  deviceId?: string;
  deviceName?: string;
  deviceManufacturer?: string;
  /** Hardware code or model. */
  deviceModel?: string;
  deviceType?: string;
  softwareVersion?: string;
}

/** Reads an item's `source`; camel case as documented, snake case as some clients write it. */
export function pushedSource(source: PayloadObject): PushedSource {
  const text = (camel: string, snake: string) => textOf(source[camel]) ?? textOf(source[snake]);
  const deviceName = text('deviceName', 'device_name');
  return {
    appId: text('appId', 'app_id') ?? text('bundleIdentifier', 'bundle_identifier'),
    name: textOf(source.name),
    deviceId: text('deviceId', 'device_id'),
    deviceName,
    deviceManufacturer: text('deviceManufacturer', 'device_manufacturer'),
    deviceModel: exactModel([
      text('deviceModel', 'device_model') ?? accessoryName(deviceName),
      text('productType', 'product_type'),
      text('deviceHardwareVersion', 'device_hardware_version'),
    ]),
    deviceType: text('deviceType', 'device_type'),
    softwareVersion:
      text('deviceSoftwareVersion', 'device_software_version') ?? systemVersion(source) ?? textOf(source.version),
  };
}

/** A text that is equal for two sources whose every part is equal. */
export function pushedSourceKey(source: PushedSource): string {
  return [
    source.appId,
    source.name,
    source.deviceId,
    source.deviceName,
    source.deviceManufacturer,
    source.deviceModel,
    source.deviceType,
    source.softwareVersion,
  ].join('\u0001');
}
