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

/** Units that the client means where it declares none, by identifier without prefix; otherwise that of the series. */
const SENT_UNITS: Readonly<Record<string, string>> = {
  Height: 'm',
  WaistCircumference: 'm',
  WalkingStepLength: 'm',
  RunningStrideLength: 'm',
  DietaryWater: 'L',
};

/** The client multiplies oxygen saturation itself and leaves every other share as a fraction, body fat included. */
const PERCENT_MEANINGS: Readonly<Record<string, PercentMeaning>> = {
  OxygenSaturation: 'either',
  BodyFatPercentage: 'either',
};

const PREFIX = /^HKQuantityTypeIdentifier/;

/** What becomes of records of a type and unit; undefined for types that are not stored. */
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
