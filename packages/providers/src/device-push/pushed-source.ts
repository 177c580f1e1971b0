import { deviceType } from '@healthd/model';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';

const PRODUCT_CODE = /^[A-Za-z]+\d+,\d+$/;

/**
 * Returns a product code such as `Watch7,5` instead of a model such as `Watch`, if both have the same device type. A
 * product code of another type may belong to the phone that ran an application, while the model is the scale or
 * headphones that measured.
 */
function exactModel(declared: (string | undefined)[]): string | undefined {
  const [model, ...others] = declared.filter((one) => one !== undefined);
  if (model === undefined || PRODUCT_CODE.test(model)) return model;
  const kind = deviceType({ model });
  return others.find((other) => PRODUCT_CODE.test(other) && deviceType({ model: other }) === kind) ?? model;
}

/** Returns the name of a phone accessory if it identifies the device. No other name may replace a model. */
function accessoryName(deviceName: string | undefined): string | undefined {
  const kind = deviceName === undefined ? 'unknown' : deviceType({ sourceName: deviceName });
  return kind === 'scale' || kind === 'other' ? deviceName : undefined;
}

/** Returns the version of the operating system, if it is numeric. */
function systemVersion(source: PayloadObject): string | undefined {
  const version = source.operatingSystemVersion ?? source.operating_system_version;
  if (!isObject(version)) return undefined;
  const numbers = [
    version.majorVersion ?? version.major_version,
    version.minorVersion ?? version.minor_version,
    version.patchVersion ?? version.patch_version,
  ];
  return numbers.every((number) => Number.isInteger(number)) ? numbers.join('.') : undefined;
}

/** Cleaned members of an item's `source`; each is optional. */
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

/** Reads an item's `source` in camel case, as documented, or in snake case, as some clients write it. */
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

/** Returns a key that is equal for sources with equal members. */
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
