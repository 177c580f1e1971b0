import { type DeviceType, deviceType, type SourceIdentity } from '@healthd/model';
import { type AppleDevice, parseDevice } from './device.js';

/** Attributes of a record or workout that identify the source. */
export interface SourceAttributes {
  sourceName?: string;
  sourceVersion?: string;
  device?: string;
}

const APPLE_HARDWARE = /^(Watch|iPhone|iPad|iPod)\d/;
const PRODUCT_NAME: Readonly<Record<string, RegExp>> = {
  Watch: /\bApple\s?Watch\b/i,
  iPhone: /\biPhone\b/i,
  iPad: /\biPad\b/i,
  iPod: /\biPod\b/i,
};

/**
 * Returns the source of one exported item.
 *
 * Measurements of an Apple device have no writer, so that an export and a push of the same watch share a source. An
 * item is the device's own if the device has an Apple hardware code and the source is the device itself. This is true
 * if `sourceVersion` is the device's system version (an app has its own version), or if the source is named after that
 * product ("Anna's Apple Watch"). An application wrote all other items and is part of their identity, even on an Apple
 * device.
 */
export function appleSource({ sourceName, sourceVersion, device: text }: SourceAttributes): SourceIdentity {
  const device = text === undefined ? {} : parseDevice(text);
  const deviceModel = device.hardware ?? device.model;
  const writer = isOwn(device, sourceName, sourceVersion) ? undefined : sourceName || undefined;
  return {
    provider: 'apple',
    deviceModel,
    writer,
    deviceType: typeOf(device, sourceName),
    softwareVersion: device.software ?? (sourceVersion || undefined),
    originalSourceName: sourceName || undefined,
  };
}

/**
 * Derives the type from the hardware code, then from the model, then from the name. An unknown hardware code (FS2) may
 * accompany a known model (S2 Body Scale) or name (AirPods Pro).
 */
function typeOf({ hardware, model, name }: AppleDevice, sourceName: string | undefined): DeviceType {
  const byCode = deviceType({ model: hardware ?? model, sourceName, provider: 'apple' });
  const byModel = byCode === 'other' ? deviceType({ model: model ?? hardware }) : byCode;
  const isUnspecific = byModel === 'unknown' || byModel === 'other';
  return isUnspecific && name !== undefined ? deviceType({ model: name }) : byModel;
}

/** True if the model is the hardware code of an Apple device. */
export function isAppleHardware(model: string | undefined): model is string {
  return model !== undefined && APPLE_HARDWARE.test(model);
}

/** True if the source is named after the product with this hardware code, such as `Anna's Apple Watch`. */
export function isNamedAfterProduct(model: string, sourceName: string | undefined): boolean {
  const family = APPLE_HARDWARE.exec(model)?.[1];
  return family !== undefined && (PRODUCT_NAME[family]?.test(sourceName ?? '') ?? false);
}

function isOwn(device: AppleDevice, sourceName: string | undefined, sourceVersion: string | undefined): boolean {
  const { hardware, manufacturer = 'Apple', software } = device;
  if (!isAppleHardware(hardware) || !/^Apple\b/.test(manufacturer)) return false;
  return (software !== undefined && software === sourceVersion) || isNamedAfterProduct(hardware, sourceName);
}
