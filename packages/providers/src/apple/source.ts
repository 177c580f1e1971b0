import { type DeviceType, deviceType, type SourceIdentity } from '@healthd/model';
import { type AppleDevice, parseDevice } from './device.js';

/** The attributes of a record or workout that say who measured. */
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
 * The source of one exported item.
 *
 * What an Apple device measured itself has no writer: the vendor's own store is its writer, and a phone that pushes the
 * same store says the same, so export and push of one watch share a source. An item counts as the device's own when the
 * device carries an Apple hardware code and either `sourceVersion` is the device's system version (an app has a version
 * of its own) or the source is called after that very product ("Anna's Apple Watch"). Everything else was written by an
 * application, which stays part of the identity even when it ran on an Apple device.
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

/** A code that says nothing (FS2) may be beside a model (S2 Body Scale) or a name (AirPods Pro) that does. */
function typeOf({ hardware, model, name }: AppleDevice, sourceName: string | undefined): DeviceType {
  const byCode = deviceType({ model: hardware ?? model, sourceName, provider: 'apple' });
  const byModel = byCode === 'other' ? deviceType({ model: model ?? hardware }) : byCode;
  const isUnspecific = byModel === 'unknown' || byModel === 'other';
  return isUnspecific && name !== undefined ? deviceType({ model: name }) : byModel;
}

/** Whether a model is the hardware code of a device made by Apple. */
export function isAppleHardware(model: string | undefined): model is string {
  return model !== undefined && APPLE_HARDWARE.test(model);
}

/** Whether a source is called after the product that the hardware code stands for, as `Anna's Apple Watch`. */
export function isNamedAfterProduct(model: string, sourceName: string | undefined): boolean {
  const family = APPLE_HARDWARE.exec(model)?.[1];
  return family !== undefined && (PRODUCT_NAME[family]?.test(sourceName ?? '') ?? false);
}

function isOwn(device: AppleDevice, sourceName: string | undefined, sourceVersion: string | undefined): boolean {
  const { hardware, manufacturer = 'Apple', software } = device;
  if (!isAppleHardware(hardware) || !/^Apple\b/.test(manufacturer)) return false;
  return (software !== undefined && software === sourceVersion) || isNamedAfterProduct(hardware, sourceName);
}
