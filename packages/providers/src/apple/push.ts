import type { SourceIdentity } from '@healthd/model';
import {
  type PercentMeaning,
  type PushAdapter,
  type PushedSource,
  pushConverter,
  pushedDeviceType,
  type RecordPlan,
} from '../device-push/index.js';
import { TIME_ZONE_KEY } from './named-offset.js';
import { quantityConverter, quantitySeries } from './quantities.js';
import { QUANTITY_SERIES } from './quantity-series.js';
import { isAppleHardware, isNamedAfterProduct } from './source.js';
import { pushedActivity, workoutType } from './workout-types.js';

/**
 * Units that the client implies if a record declares no unit, by identifier without prefix. The default is the unit of
 * the series.
 */
const SENT_UNITS: Readonly<Record<string, string>> = {
  Height: 'm',
  WaistCircumference: 'm',
  WalkingStepLength: 'm',
  RunningStrideLength: 'm',
  DietaryWater: 'L',
};

/**
 * Quantities whose percent sign may mean 0..1 or 0..100. The client converts oxygen saturation to percent, and sends
 * every other share, including body fat, as a fraction.
 */
const PERCENT_MEANINGS: Readonly<Record<string, PercentMeaning>> = {
  OxygenSaturation: 'either',
  BodyFatPercentage: 'either',
};

const PREFIX = /^HKQuantityTypeIdentifier/;

/** Returns how to store records of a type and unit; undefined for unsupported types. */
function pushedPlanOf(type: string, declared: string | undefined): RecordPlan | undefined {
  const series = quantitySeries(type);
  if (series === undefined) return undefined;
  const name = type.replace(PREFIX, '');
  const percent = PERCENT_MEANINGS[name] ?? 'fraction';
  const unit = declared ?? SENT_UNITS[name] ?? (series.unit === 'percent' ? '%' : series.unit);
  const convert =
    unit === '%' && series.code === 'blood_alcohol_content'
      ? quantityConverter(series, unit)
      : pushConverter(series, unit, percent);
  return convert ? { kind: 'sample', typeId: series.id, convert } : { kind: 'unknown_unit' };
}

/** App ids of data from Apple devices start with `com.apple.health.` and contain the device's id. */
const OWN_APP = /^com\.apple\.health\./;
const HEALTH_APP = 'com.apple.Health';

/** Reads pushes from iPhones with the export's tables and the mobile client's units. */
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
  // An export identifies a workout only by this sync identifier. An imported file and a pushing phone therefore yield
  // one workout.
  workoutId: ({ metadata }) => {
    const id = metadata.HKMetadataKeySyncIdentifier;
    return typeof id === 'string' && id !== '' && id.length <= 255 ? id : undefined;
  },
};

/**
 * Returns the source of a pushed item, equal to the source in an export. An item that an Apple device itself recorded
 * has no writer. The writer of all other items is the application's name, as in an export.
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
