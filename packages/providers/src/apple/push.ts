import type { SourceIdentity } from '@healthd/model';
import { type PushAdapter, type PushedSource, pushedDeviceType } from '../device-push/index.js';
import { TIME_ZONE_KEY } from './named-offset.js';
import { QUANTITY_SERIES } from './quantity-series.js';
import { pushedPlanOf } from './pushed-plan.js';
import { isAppleHardware, isNamedAfterProduct } from './source.js';
import { pushedActivity, workoutType } from './workout-types.js';

/** Data of an Apple device itself carry `com.apple.health.` and the id of the device. */
const OWN_APP = /^com\.apple\.health\./;
const HEALTH_APP = 'com.apple.Health';

/** What an iPhone pushes: the tables of the export, and the units of the mobile client. */
export const APPLE_PUSH: PushAdapter = {
  provider: 'apple',
  recordTypes: [...QUANTITY_SERIES.keys()].map((name) => `HKQuantityTypeIdentifier${name}`),
  timeZoneKey: TIME_ZONE_KEY,
  record: pushedPlanOf,
  workoutType(name, context) {
    const activity = pushedActivity(name);
    return activity === undefined ? undefined : workoutType(activity, context);
  },
  source: sourceOf,
  // Exports carry no other identity: with it, a file beside a phone that pushes makes no second workout.
  workoutId: ({ metadata }) => {
    const id = metadata.HKMetadataKeySyncIdentifier;
    return typeof id === 'string' && id !== '' && id.length <= 255 ? id : undefined;
  },
};

/**
 * The source of a pushed item, the same as that of the exported one: what an Apple device measured itself has no
 * writer, everything else is distinguished by the application's name as the export gives it.
 */
function sourceOf(source: PushedSource): SourceIdentity {
  const { appId, name, deviceName, deviceModel } = source;
  const ownName = name ?? deviceName;
  const isOwn =
    isAppleHardware(deviceModel) &&
    (appId === undefined ? ownName === undefined || isNamedAfterProduct(deviceModel, ownName) : OWN_APP.test(appId));
  const appName = name ?? (appId === HEALTH_APP ? 'Health' : (appId ?? deviceName));
  return {
    provider: 'apple',
    deviceModel,
    writer: isOwn ? undefined : appName,
    deviceType: pushedDeviceType(source, 'apple'),
    softwareVersion: source.softwareVersion,
    originalSourceName: ownName ?? appId,
  };
}
