import { deviceType } from '@healthd/model';
import { isObject, type PayloadObject } from '../payload/index.js';

const PRODUCT_CODE = /^[A-Za-z]+\d+,\d+$/;

/**
 * A product code such as `Watch7,5` where one is given, because a model may say no more than `Watch`. The product may also
 * be the phone that an application ran on, and the model the scale or the headphones that measured.
 */
export function exactModel(declared: (string | undefined)[]): string | undefined {
  const [model, ...others] = declared.filter((one) => one !== undefined);
  if (model === undefined || PRODUCT_CODE.test(model)) return model;
  const kind = deviceType({ model });
  return others.find((other) => PRODUCT_CODE.test(other) && deviceType({ model: other }) === kind) ?? model;
}

/** The name of a device that is used with a phone and says what it is; nothing else may stand for a model. */
export function accessoryName(deviceName: string | undefined): string | undefined {
  const kind = deviceName === undefined ? 'unknown' : deviceType({ sourceName: deviceName });
  return kind === 'scale' || kind === 'other' ? deviceName : undefined;
}

/** The version of the operating system, where the client gives it in numbers. */
export function systemVersion(source: PayloadObject): string | undefined {
  const version = source.operatingSystemVersion ?? source.operating_system_version;
  if (!isObject(version)) return undefined;
  const numbers = [
    version.majorVersion ?? version.major_version,
    version.minorVersion ?? version.minor_version,
    version.patchVersion ?? version.patch_version,
  ];
  return numbers.every((number) => Number.isInteger(number)) ? numbers.join('.') : undefined;
}
