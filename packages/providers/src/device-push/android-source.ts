import type { ProviderId, SourceIdentity } from '@healthd/model';
import { pushedDeviceType } from './pushed-device-type.js';
import type { PushedSource } from './pushed-source.js';

/**
 * Returns the source of one item of an Android store. The store's own application is not a writer. Uses the device id
 * only if the model is missing, because clients send the id with some items only.
 * @param ownApps application ids of the store itself
 */
export function androidSource(
  provider: ProviderId,
  source: PushedSource,
  ownApps: ReadonlySet<string> = new Set(),
): SourceIdentity {
  const { appId, name, deviceName, deviceModel, deviceId, softwareVersion } = source;
  const app = appId !== undefined && ownApps.has(appId) ? undefined : appId;
  const known = deviceModel !== undefined || (appId !== undefined && app === undefined);
  return {
    provider,
    deviceModel,
    writer: app ?? (known ? undefined : (name ?? deviceName)),
    deviceId: deviceModel === undefined ? deviceId : undefined,
    deviceType: pushedDeviceType(source, provider),
    softwareVersion,
    originalSourceName: name ?? deviceName ?? appId,
  };
}
