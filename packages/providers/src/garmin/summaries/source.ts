import { deviceType, type SourceIdentity } from '@healthd/model';
import { textOf } from '../../payload/index.js';

const WRITER = 'garmin_api';
/** What the vendor writes where someone entered an activity by hand. */
const NO_DEVICE = 'unknown';

/** The source of everything whose device the vendor does not name. */
export const GARMIN_SOURCE: SourceIdentity = { provider: 'garmin', writer: WRITER, deviceType: 'watch' };

/** What the writer of everything stored, as a later version of an item takes it away. */
export const OWN = { kind: 'replacement', provider: 'garmin', writer: WRITER } as const;

/** The source of an activity: its device, where one recorded it. */
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
