import { deviceType, type SourceIdentity } from '@healthd/model';
import { textOf } from '../../payload/index.js';

const WRITER = 'garmin_api';
/** The vendor's device name for manually entered activities. */
const NO_DEVICE = 'unknown';

/** Source of all items without a device name. */
export const GARMIN_SOURCE: SourceIdentity = { provider: 'garmin', writer: WRITER, deviceType: 'watch' };

/** Base of replacements for data that this writer stored in an earlier version of an item. */
export const OWN = { kind: 'replacement', provider: 'garmin', writer: WRITER } as const;

/** Returns the source of an activity: its device, if a device recorded it. */
export function activitySource({ deviceName }: { deviceName?: string | undefined }): SourceIdentity {
  const model = textOf(deviceName);
  if (model === undefined || model.toLowerCase() === NO_DEVICE) return GARMIN_SOURCE;
  return {
    provider: 'garmin',
    writer: WRITER,
    deviceModel: model,
    deviceType: deviceType({ model, provider: 'garmin' }),
  };
}
