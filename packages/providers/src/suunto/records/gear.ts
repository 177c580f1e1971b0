import type { SourceIdentity } from '@healthd/model';
import { idOf, isObject, type PayloadObject, textOf } from '../../payload/index.js';
import { deviceSource } from './source.js';

/** The summary among the extensions of a workout; empty without one. */
export function summaryOf({ extensions }: PayloadObject): PayloadObject {
  const all: readonly unknown[] = Array.isArray(extensions) ? extensions : [];
  return all.filter(isObject).find(({ type }) => type === 'SummaryExtension') ?? {};
}

/** The device that recorded a workout. It stands in the workout itself or in its summary. */
export function gearSource(workout: PayloadObject): SourceIdentity {
  const gear = [workout.gear, summaryOf(workout).gear].find(isObject) ?? {};
  // `name` may be the vendor's code word of a model.
  const model = textOf(gear.displayName) ?? textOf(gear.name);
  const softwareVersion = textOf(gear.swVersion) ?? textOf(gear.softwareVersion);
  const deviceId = idOf(gear.serialNumber);
  return deviceSource(model, {
    ...(softwareVersion !== undefined && { softwareVersion }),
    ...(deviceId !== undefined && { deviceId }),
  });
}
