import { MS_PER_HOUR } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

/** Extends a range to whole UTC hours, so that every read of an hour uses the same window. */
export function wholeHours({ startMs, endMs }: TimeRange): TimeRange {
  return {
    startMs: Math.floor(startMs / MS_PER_HOUR) * MS_PER_HOUR,
    endMs: Math.ceil(endMs / MS_PER_HOUR) * MS_PER_HOUR,
  };
}
