import { MS_PER_HOUR } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

/** The whole hours of UTC that hold a range, so that an hour is one window however often it is read. */
export function wholeHours({ startMs, endMs }: TimeRange): TimeRange {
  return {
    startMs: Math.floor(startMs / MS_PER_HOUR) * MS_PER_HOUR,
    endMs: Math.ceil(endMs / MS_PER_HOUR) * MS_PER_HOUR,
  };
}
