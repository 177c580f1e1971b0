import { deviceType, type SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import { type PayloadObject, textOf } from '../../payload/index.js';

const WRITER = 'strava_api';

/** The device that recorded an activity, where the vendor names it. */
export function sourceOf(activity: PayloadObject): SourceIdentity {
  const model = textOf(activity.device_name);
  const device = model === undefined ? {} : { deviceModel: model };
  return { provider: 'strava', writer: WRITER, ...device, deviceType: deviceType({ model, provider: 'strava' }) };
}

/** What every replacement of a window has. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'strava', writer: WRITER, startMs, endMs } as const;
}
