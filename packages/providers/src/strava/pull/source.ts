import { deviceType, type SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import { textOf } from '../../payload/index.js';

const WRITER = 'strava_api';

/** Returns one activity's path. @param id digits */
export const activityPath = (id: string) => `/activities/${id}`;

/** Returns the device that recorded an activity, if the vendor names it. */
export function sourceOf(deviceName: string | undefined): SourceIdentity {
  const model = textOf(deviceName);
  const device = model === undefined ? {} : { deviceModel: model };
  return { provider: 'strava', writer: WRITER, ...device, deviceType: deviceType({ model, provider: 'strava' }) };
}

/** Returns the common members of all replacements of a window. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'strava', writer: WRITER, startMs, endMs } as const;
}
